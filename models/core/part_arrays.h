#pragma once

// Storage arrays (tables, lists, registers) that a configurable part adds to the SM, such as a register
// stage. A part declares its arrays next to its registration. An energy account can therefore list each array
// for which a technology gives no energy:
//
//   const Arrays<RegisterStage> rename_table_arrays{
//       "rename-table", {{"rename table", "registers", "10", "1R1W", {"register_file.rename_table"}}}};
//
// A part without storage declares an empty list. Energy accounts report the name of a part that declares
// nothing.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// A storage array of a configurable part: a table, a list, counters or registers. The sizes of the array are
/// expressions (expression.h). They may use numbers, the part's parameters by name, and these sizes of an
/// SM's partition:
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
  /// Structures of energy accounts to which the array belongs, such as "register_file.rename_table". An
  /// account covers the array if it gives energies for one of these structures.
  std::vector<std::string> structures;
};
using PartArrays = std::vector<PartArray>;

/// Declared storage arrays, by the family (kind) and the name of the part that has the arrays.
using DeclaredArrays = std::map<std::pair<std::string, std::string>, PartArrays>;
DeclaredArrays& declared_arrays();

/// Declares the arrays of the part `name`, an implementation of `Interface`.
template <class Interface>
struct Arrays {
  Arrays(const char* name, PartArrays arrays) {
    declared_arrays()[{Interface::kFamily, name}] = std::move(arrays);
  }
};

}  // namespace heddle
