#pragma once

// Storage arrays (tables, lists, latches) that parts add to the SM. A part declares its arrays next to its
// registration. An energy account can therefore list each array that no technology prices:
//
//   const Arrays<RegisterStage> rename_table_arrays{
//       "rename-table", {{"rename table", "registers", "10", "1R1W", {"register_file.rename_table"}}}};
//
// A part without storage declares an empty list. If a part declares nothing, energy accounts report its name.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// A storage array of a part: a table, a list, counters or latches. Its sizes are expressions (expression.h),
/// which may use numbers, the part's parameters by name, and these sizes of an SM's partition:
/// - `warps`: warp slots; `registers`: architected registers of these warps, warps x compiler.max_registers
/// - `renamed`: number of these registers that a renaming table of exempt-registers.table_bytes bytes can
///   hold
/// - `rows`: rows of all register banks; `banks`: register banks; `fast_registers`: fast registers of a warp
/// - `schedulers`: schedulers; `active`: active warps of a scheduler; `ctas`: CTA slots of the SM
/// If a parameter is one of several texts, NAME.OPTION is 1 if the parameter NAME has the value OPTION,
/// otherwise 0.
struct PartArray {
  std::string name;     ///< name of the array in the line "left out" of an account that does not price it
  std::string entries;  ///< number of entries
  std::string bits;     ///< number of bits of an entry
  std::string ports;    ///< read and write ports of each bank of the array, such as "1R1W"
  /// Structures of energy accounts, such as "register_file.rename_table". An account prices the array if it
  /// prices one of these structures.
  std::vector<std::string> structures;
};
using PartArrays = std::vector<PartArray>;

/// Arrays by family and name of the part.
using DeclaredArrays = std::map<std::pair<std::string, std::string>, PartArrays>;
DeclaredArrays& declared_arrays();

/// Declares the arrays of the part `name` of the family `Interface`.
template <class Interface>
struct Arrays {
  Arrays(const char* name, PartArrays arrays) {
    declared_arrays()[{Interface::kFamily, name}] = std::move(arrays);
  }
};

}  // namespace heddle
