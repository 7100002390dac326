#pragma once

// Storage arrays that parts add to the SM. A part declares them beside its registration, so that an energy account names
// each array that no technology prices:
//
//   const Arrays<RegisterStage> rename_table_arrays{
//       "rename-table", {{"rename table", "registers", "10", "1R1W", {"register_file.rename_table"}}}};
//
// A part without storage declares an empty list. Accounts name a part that declares nothing.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// A storage array of a part: a table, a list, counters or latches. Sizes are expressions (expression.h) of numbers, of
/// the part's parameters by name, and of the sizes of an SM's partition:
/// - `warps`: warp slots; `registers`: architected registers of these warps, warps x compiler.max_registers
/// - `renamed`: those of them that a renaming table of the size of exempt-registers.table_bytes holds
/// - `rows`: rows of all register banks; `banks`: register banks; `fast_registers`: fast registers of a warp
/// - `schedulers`: schedulers; `active`: active warps of a scheduler; `ctas`: CTA slots of the SM
/// A parameter with options stands as NAME.OPTION, which is 1 if the parameter has this value, otherwise 0.
struct PartArray {
  std::string name;     ///< name in the line "left out" of an account without its price
  std::string entries;  ///< number of entries
  std::string bits;     ///< bits of an entry
  std::string ports;    ///< read and write ports of each bank of the array, such as "1R1W"
  /// Structures of energy accounts, such as "register_file.rename_table". The array is priced if one of them is.
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
