#pragma once

// Probe points (MovePoint) for co-simulation; models no hardware. When a warp changes to another register
// interval, the stage interval-file reports which registers it removes and which register it loads next.
// Observers may replace both decisions.
//
// Limits: only the first kWarps warps have a probe point.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/core/warp_probes.h"
#include "models/stages/storage_points.h"

namespace heddle {

class MoveWatch {
 public:
  static constexpr std::size_t kWarps = 4;

  /// `warps`: warps of the stage.
  explicit MoveWatch(std::size_t warps) : points_(std::min(kWarps, warps), {}) {}

  void probes(const ProbeScope& scope) { points_.probes(scope); }
  bool watches(WarpId warp) const { return points_.observed(warp) != nullptr; }
  /// Reports the registers that leave the interval-file. Observers may replace this set.
  void leaves(WarpId warp, const MovePoint::View& view, MovePoint::Answer& answer) const;
  /// Returns the register to load next. Each bank has one candidate, which observers may replace; the
  /// candidate with the lowest register number is loaded. Returns nothing if there is no candidate, or if the
  /// candidate is already loaded or does not belong to the interval. Must be called only for a warp with an
  /// observer.
  std::optional<std::uint32_t> next(WarpId warp, MovePoint::View view) const;

 private:
  WarpProbes<MovePoint> points_;
};

}  // namespace heddle
