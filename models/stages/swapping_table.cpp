#include "models/stages/swapping_table.h"

#include <numeric>
#include <utility>

namespace heddle {

SwappingTable::SwappingTable() { std::iota(rows_.begin(), rows_.end(), std::uint8_t{0}); }

SwappingTable::SwappingTable(std::vector<RegisterSwap> swaps) : SwappingTable() {
  swaps_ = std::move(swaps);
  for (const RegisterSwap& swap : swaps_) std::swap(rows_[swap.slow], rows_[swap.fast]);
}

}  // namespace heddle
