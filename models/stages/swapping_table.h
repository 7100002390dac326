#pragma once

// Models the table of swapped registers (Abdel-Majeed 2016, 6.3.1, Fig. 6.6). It gives the row of each
// register of a warp. In the form of a CAM, the table has two entries for each swapped pair (register, its
// row, valid). In the other form, it is indexed by the register number. Both forms give the same rows. A
// register without an entry lies in the row with its number. The paper sends such a register "to the SRF"
// (6.3.1), which would lose the registers that stay in the fast rows.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/stages/pilot_profile.h"

namespace heddle {

struct SwappingTableSettings {
  std::string table = "cam";
  int fast_registers = 4;  ///< largest number of swapped pairs
  int registers = 63;      ///< number of registers for which an indexed table has entries
  bool one_table = true;   ///< true: all warps that have a table share one table
};

class SwappingTable;
/// Events of a swapping table: a register is looked up, or a table is written.
struct SwappingView {
  const SwappingTable* table = nullptr;
  std::uint32_t home = 0;
  bool writes = false;
};

struct SwappingPoint {
  using Owner = SwappingTableSettings;
  using View = SwappingView;
  using Answer = std::uint32_t;  ///< row of the register
};

class SwappingTable {
 public:
  SwappingTable();
  explicit SwappingTable(std::vector<RegisterSwap> swaps);

  RegId row_of(RegId home) const { return RegId(rows_[home.value]); }
  /// Swaps, sorted by the access rank of their registers.
  std::span<const RegisterSwap> swaps() const { return swaps_; }

 private:
  std::array<std::uint8_t, 256> rows_;
  std::vector<RegisterSwap> swaps_;
};

}  // namespace heddle
