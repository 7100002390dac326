#pragma once

// Probe points of warps, one for each warp with a number below a limit. The points are created when a
// ProbeList collects them. In runs that collect no probe points, each call of observed() therefore costs only
// one comparison.

#include <cstddef>
#include <deque>
#include <string>

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

template <class Point>
class WarpProbes {
 public:
  using Owner = typename Point::Owner;

  /// Prepares probe points for the warps 0 to `warps` - 1.
  WarpProbes(std::size_t warps, const Owner& owner) : warps_(warps), owner_(owner) {}
  WarpProbes(const WarpProbes&) = delete;
  WarpProbes& operator=(const WarpProbes&) = delete;

  /// Creates the probe points and adds them to the list as "<scope>.warp0" and so on.
  void probes(const ProbeScope& scope) {
    while (points_.size() < warps_) points_.emplace_back(owner_);
    for (std::size_t w = 0; w < warps_; ++w) scope.part("warp" + std::to_string(w)).add(points_[w]);
  }
  /// Returns true if the probe points have been created.
  bool any() const { return !points_.empty(); }
  /// Returns the probe point of a warp, or nullptr if the warp has no probe point or no observer is attached.
  const Probe<Point>* observed(WarpId warp) const {
    return warp.value < points_.size() && points_[warp.value].attached() ? &points_[warp.value] : nullptr;
  }

 private:
  std::size_t warps_;
  Owner owner_;
  std::deque<Probe<Point>> points_;
};

}  // namespace heddle
