#pragma once

// Divides the entries of a register cache or an operand file into equal slots. Each warp that needs entries
// gets one slot: the lowest free slot.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/stages/storage_points.h"

namespace heddle {

class StorageSlots {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  explicit StorageSlots(int warps)
      : size_{warps},
        slot_of_(static_cast<std::size_t>(warps), kNone),
        taken_(static_cast<std::size_t>(warps)) {}

  std::size_t of(WarpId warp) const { return slot_of_[warp.value]; }
  std::size_t take(WarpId warp) {
    const std::size_t slot = slot_of_[warp.value];
    return slot != kNone && !probe_.attached() ? slot : take_part(warp);
  }
  void leave(WarpId warp) {
    std::size_t& slot = slot_of_[warp.value];
    if (probe_.attached()) probe_.notify({true, warp});
    if (slot != kNone) taken_[slot] = 0;
    slot = kNone;
  }
  ProbePoint& probe() { return probe_; }

 private:
  std::size_t take_part(WarpId warp) {
    std::size_t& slot = slot_of_[warp.value];
    std::size_t part = slot;
    if (slot == kNone)
      part = static_cast<std::size_t>(std::find(taken_.begin(), taken_.end(), 0) - taken_.begin());
    if (probe_.attached()) probe_.answered({false, warp}, part);
    slot = part;
    taken_[slot] = 1;
    return slot;
  }

  SlotsPoint::Owner size_;
  Probe<SlotsPoint> probe_{size_};
  std::vector<std::size_t> slot_of_;
  std::vector<std::uint8_t> taken_;
};

}  // namespace heddle
