#include "models/ports/register_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/core/error.h"

namespace heddle {

RegisterMap::RegisterMap(const BankParameters& banks, int max_warps, int partitions)
    : depths_(banks.depths()),
      layout_(banks.home()),
      fast_rows_(depths_.size()),
      free_(depths_.size()),
      fast_free_(depths_.size()),
      places_(static_cast<std::size_t>(max_warps) * 256),
      registers_(static_cast<std::size_t>(max_warps)) {
  if (static_cast<int>(depths_.size()) != banks.count)
    throw Error("register_file.banks.uneven_entries",
                fmt::format("{} depths for {} banks", depths_.size(), banks.count), "one number a bank");
  if (banks.partition.kind == "fast-slow")
    split(banks.partition, static_cast<std::size_t>((max_warps + partitions - 1) / partitions));
  for (std::size_t b = 0; b < depths_.size(); ++b) {
    const auto rows = static_cast<std::uint32_t>(depths_[b]), fast = std::min(rows, fast_rows_[b]);
    fast_free_[b].resize(fast);
    std::iota(fast_free_[b].rbegin(), fast_free_[b].rend(), 0U);
    free_[b].resize(rows - fast);
    std::iota(free_[b].rbegin(), free_[b].rend(), fast);
  }
  entries_ = free_total_ = static_cast<std::uint32_t>(std::accumulate(depths_.begin(), depths_.end(), 0));
}

// Reserves fast rows for the first registers of all warps, spread evenly over the banks. If the number of
// rows does not divide evenly, the first banks get one row more. Example: the 24 banks of kepler-gtx780 share
// 256 rows, 11 in each of 16 banks and 10 in each of 8 banks.
void RegisterMap::split(const PartitionParameters& partition, std::size_t warps) {
  fast_registers_ = static_cast<std::uint32_t>(partition.fast_registers);
  const std::size_t rows = warps * fast_registers_, banks = fast_rows_.size();
  for (std::size_t b = 0; b < banks; ++b)
    fast_rows_[b] = static_cast<std::uint32_t>(
        std::min<std::size_t>(rows / banks + (b < rows % banks), static_cast<std::size_t>(depths_[b])));
}

bool RegisterMap::take(FreeRows& rows, std::size_t home, RegisterPlace& place) {
  for (std::size_t step = 0; step < rows.size(); ++step) {
    const std::size_t bank = (home + step) % rows.size();
    if (rows[bank].empty()) continue;
    place = {BankId(static_cast<std::uint32_t>(bank)), rows[bank].back(), true};
    rows[bank].pop_back();
    return true;
  }
  return false;
}

void RegisterMap::bind_warp(WarpId warp, std::uint32_t registers) {
  if (registers > free_total_ || registers > 256)
    throw InternalError("register map: more registers than free entries");
  for (std::uint32_t r = 0; r < registers; ++r) {
    const std::size_t home = layout_.bank_of(warp, RegId(r));
    const bool fast = r < fast_registers_;
    RegisterPlace& place = places_[index(warp, RegId(r))];
    if (!take(fast ? fast_free_ : free_, home, place)) take(fast ? free_ : fast_free_, home, place);
  }
  free_total_ -= registers;
  registers_[warp.value] = registers;
}

void RegisterMap::release_warp(WarpId warp) {
  const std::uint32_t registers = registers_[warp.value];
  for (std::uint32_t r = registers; r-- > 0;) {
    RegisterPlace& place = places_[index(warp, RegId(r))];
    (is_fast(place) ? fast_free_ : free_)[place.bank.value].push_back(place.entry);
    place = {};
  }
  free_total_ += registers;
  registers_[warp.value] = 0;
}

}  // namespace heddle
