#pragma once

// Whether the addresses of a warp's lanes lie evenly, as most do.

#include <cstdint>
#include <optional>

#include "models/core/lanes.h"

namespace heddle::reference {

/// Addresses of lanes that lie evenly in each half, as those of two rows of a block do: lane i at first[0] + i * step, lane
/// 16 + i at first[1] + i * step.
struct EvenAddresses {
  static constexpr int kHalf = kLanes / 2;
  std::uint64_t first[2];
  std::int32_t step;
  /// Both halves are one row.
  bool joined() const {
    return first[1] - first[0] == static_cast<std::uint64_t>(std::int64_t{step} * kHalf);
  }
  std::uint64_t at(int lane) const {
    return first[lane / kHalf] + static_cast<std::uint64_t>(std::int64_t{step} * (lane % kHalf));
  }
};
/// Register words of the active lanes plus `offset`, if they lie evenly and in one piece of 4 GiB; `high` of a narrow address
/// is nullptr, and `offset` then wraps with it. What other lanes would have says nothing.
std::optional<EvenAddresses> even_addresses(const LaneVec& low, const LaneVec* high, std::int64_t offset,
                                            LaneMask active = kAllLanes);

}  // namespace heddle::reference
