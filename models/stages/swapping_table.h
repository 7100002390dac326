#pragma once

// Models the table of swapped registers (Abdel-Majeed 2016, 6.3.1, Fig. 6.6): the row of each register of a
// warp. As a CAM it has two entries for each pair (register, its row, valid); otherwise it is indexed by the
// register. Both forms give the same rows. A register without an entry lies in the row of its number. In the
// paper it is "forwarded to the SRF" (6.3.1), which would lose the registers that stay in the fast rows.

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
  int fast_registers = 4;  ///< most pairs
  int registers = 63;      ///< registers that an indexed table covers
  bool one_table = true;   ///< all warps with a table have the same one
};

class SwappingTable;
/// Events: a register is looked up in a table, or a table is written.
struct SwappingView {
  const SwappingTable* table = nullptr;
  std::uint32_t home = 0;
  bool writes = false;
};

struct SwappingPoint {
  using Owner = SwappingTableSettings;
  using View = SwappingView;
  using Answer = std::uint32_t;  ///< the row
};

class SwappingTable {
 public:
  SwappingTable();
  explicit SwappingTable(std::vector<RegisterSwap> swaps);

  RegId row_of(RegId home) const { return RegId(rows_[home.value]); }
  /// Swaps in the order of the registers' ranks.
  std::span<const RegisterSwap> swaps() const { return swaps_; }

 private:
  std::array<std::uint8_t, 256> rows_;
  std::vector<RegisterSwap> swaps_;
};

}  // namespace heddle
