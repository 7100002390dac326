#pragma once

// Groups the asynchronous copies that the warps of an SM issue. cp.async.commit_group puts the copies that a
// lane has issued since its previous commit_group into one group. cp.async.wait_group N waits until all groups
// of the lane except the N latest groups are complete.

#include <algorithm>
#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class CopyGroups {
 public:
  explicit CopyGroups(int warps) : warps_(static_cast<std::size_t>(warps)) {}

  void started(WarpId warp) { warps_[warp.value] = {}; }
  void issued(const InFlight& copy) {
    if (copy.instruction->op != isa::Opcode::copy) return;  // an arrival at an mbarrier belongs to no group
    Warp& warp = warps_[copy.warp().value];
    warp.open.push_back({copy.uid, copy.mask, warp.commits});
  }
  void commit(WarpId id, LaneMask lanes) {
    for (LaneMask left = lanes; left != 0; left &= left - 1) ++warps_[id.value].commits[lane_of(left)];
  }
  /// Executes cp.async.wait_group for `lanes`. Returns true if these lanes must wait. `groups`: number of the
  /// latest groups of each lane that may still be incomplete.
  bool wait(WarpId id, LaneMask lanes, std::uint32_t groups) {
    Warp& warp = warps_[id.value];
    warp.waiting = lanes;
    warp.groups = groups;
    return must_wait(warp);
  }
  /// Records that a copy is complete. Returns true if the warp waited and its wait is now over.
  bool completed(const InFlight& copy) {
    Warp& warp = warps_[copy.warp().value];
    const auto found = std::find_if(warp.open.begin(), warp.open.end(),
                                    [&](const Copy& open) { return open.uid == copy.uid; });
    if (found == warp.open.end()) return false;
    warp.open.erase(found);
    return warp.waiting != 0 && !must_wait(warp);
  }

 private:
  struct Copy {
    std::uint64_t uid = 0;
    LaneMask lanes = 0;
    LaneVec group;  ///< number of the group of each lane: how many groups the lane committed before the copy
  };
  struct Warp {
    LaneVec commits{};
    std::vector<Copy> open;
    LaneMask waiting = 0;
    std::uint32_t groups = 0;
  };
  static int lane_of(LaneMask lanes) { return std::countr_zero(lanes); }
  static bool must_wait(Warp& warp) {
    for (const Copy& copy : warp.open)
      for (LaneMask left = copy.lanes & warp.waiting; left != 0; left &= left - 1)
        if (warp.commits[lane_of(left)] - copy.group[lane_of(left)] > warp.groups) return true;
    warp.waiting = 0;
    return false;
  }

  std::vector<Warp> warps_;
};

}  // namespace heddle
