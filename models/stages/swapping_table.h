#pragma once

// Which row of a warp a register lies in once registers have changed places (Abdel-Majeed 2016, 6.3.1, Fig.
// 6.6). As a CAM, two entries a pair: the register, its row, valid; or indexed by the register. Both say the
// same; a register without an entry lies where it did ("forwarded to the SRF", 6.3.1, would lose what stays
// in the fast rows).

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
  int fast_registers = 4;  ///< pairs at the most
  int registers = 63;      ///< that an indexed table knows
  bool one_table = true;   ///< warps that have a table all have the same
};

class SwappingTable;
/// A register is looked up in a table, or the table written.
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
  /// In the order of the ranks.
  std::span<const RegisterSwap> swaps() const { return swaps_; }

 private:
  std::array<std::uint8_t, 256> rows_;
  std::vector<RegisterSwap> swaps_;
};

}  // namespace heddle
