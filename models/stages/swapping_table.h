#pragma once

// Models the table of swapped registers (Abdel-Majeed 2016, 6.3.1, Fig. 6.6), which gives the row of each
// register of a warp. As a CAM, the table has two entries for each swapped pair (register, its row, valid).
// An indexed table has one entry for each register number. A register without an entry lies in the row with
// its number. The paper sends accesses to these registers "to the SRF" (6.3.1), the slow rows. This rule
// cannot hold for a register without an entry whose row is a fast row.

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
  int fast_registers = 4;
  int registers = 63;     ///< number of registers for which an indexed table has entries
  bool one_table = true;  ///< true: all warps share one table
};

class SwappingTable;
struct SwappingView {
  const SwappingTable* table = nullptr;
  std::uint32_t home = 0;
  bool writes = false;
};

struct SwappingPoint {
  using Owner = SwappingTableSettings;
  using View = SwappingView;
  using Answer = std::uint32_t;
};

class SwappingTable {
 public:
  SwappingTable();
  explicit SwappingTable(std::vector<RegisterSwap> swaps);

  RegId row_of(RegId home) const { return RegId(rows_[home.value]); }
  std::span<const RegisterSwap> swaps() const { return swaps_; }

 private:
  std::array<std::uint8_t, 256> rows_;
  std::vector<RegisterSwap> swaps_;
};

}  // namespace heddle
