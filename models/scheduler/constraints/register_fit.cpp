#include "models/scheduler/constraints/register_fit.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace heddle {

bool registers_fit(std::span<const RegisterClaims* const> by_partition, std::span<const WarpSet> slots,
                   std::uint32_t registers, std::uint32_t warps) {
  for (std::size_t p = 0; p < by_partition.size(); ++p) {
    if (!by_partition[p]) continue;
    const RegisterClaims& claims = *by_partition[p];
    std::vector<std::vector<int>> needs(claims.capacity().size());
    for (const WarpId warp : slots[p]) {
      std::vector<int> need(needs.size());
      for (std::uint32_t r = 0; r < registers; ++r) ++need[claims.pool_of(warp, RegId(r))];
      for (std::size_t pool = 0; pool < need.size(); ++pool) needs[pool].push_back(need[pool]);
    }
    for (std::size_t pool = 0; pool < needs.size(); ++pool) {
      std::sort(needs[pool].begin(), needs[pool].end(), std::greater<>());
      int most = 0;
      for (std::size_t w = 0; w < std::min<std::size_t>(warps, needs[pool].size()); ++w)
        most += needs[pool][w];
      if (most > claims.capacity()[pool]) return false;
    }
  }
  return true;
}

}  // namespace heddle
