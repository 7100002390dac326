#pragma once

// Models no hardware: the probe points of the moves of warps between register intervals, for co-simulation
// (MovePoint). A stage that moves registers reports which registers leave and which comes in next, as sets of
// registers. Observers may replace both.
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
  /// Reports the registers that leave, which observers may replace.
  void leaves(WarpId warp, const MovePoint::View& view, MovePoint::Answer& answer) const;
  /// Returns the next register that comes in, the lowest of the banks' next registers. Returns nothing if no
  /// register comes in, or one that does not belong to the interval or that the warp holds. Must be called
  /// only for a warp with an observer.
  std::optional<std::uint32_t> next(WarpId warp, MovePoint::View view) const;

 private:
  WarpProbes<MovePoint> points_;
};

}  // namespace heddle
