#include "models/regfile/register_map.h"

#include <fmt/format.h>

#include <numeric>

#include "models/core/error.h"

namespace heddle {

RegisterMap::RegisterMap(const BankParameters& banks, int max_warps)
    : depths_(banks.depths()),
      layout_(banks.home()),
      free_(depths_.size()),
      places_(static_cast<std::size_t>(max_warps) * 256),
      registers_(static_cast<std::size_t>(max_warps)) {
  if (static_cast<int>(depths_.size()) != banks.count)
    throw Error("register_file.banks.uneven_entries",
                fmt::format("{} depths for {} banks", depths_.size(), banks.count), "one number a bank");
  for (std::size_t b = 0; b < depths_.size(); ++b)
    for (int e = depths_[b]; e-- > 0;) free_[b].push_back(static_cast<std::uint32_t>(e));
  entries_ = free_total_ = static_cast<std::uint32_t>(std::accumulate(depths_.begin(), depths_.end(), 0));
}

void RegisterMap::bind_warp(WarpId warp, std::uint32_t registers) {
  if (registers > free_total_ || registers > 256)
    throw InternalError("register map: more registers than free entries");
  const std::size_t banks = free_.size();
  for (std::uint32_t r = 0; r < registers; ++r) {
    std::size_t bank = layout_.bank_of(warp, RegId(r));
    while (free_[bank].empty()) bank = (bank + 1) % banks;
    places_[index(warp, RegId(r))] = {BankId(static_cast<std::uint32_t>(bank)), free_[bank].back(), true};
    free_[bank].pop_back();
  }
  free_total_ -= registers;
  registers_[warp.value] = registers;
}

void RegisterMap::release_warp(WarpId warp) {
  const std::uint32_t registers = registers_[warp.value];
  for (std::uint32_t r = registers; r-- > 0;) {
    RegisterPlace& place = places_[index(warp, RegId(r))];
    free_[place.bank.value].push_back(place.entry);
    place = {};
  }
  free_total_ += registers;
  registers_[warp.value] = 0;
}

}  // namespace heddle
