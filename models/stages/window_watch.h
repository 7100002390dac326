#pragma once

// Probe points of the windows of the first warps (WindowPoint): reports what happens in a window, and asks the
// observers for the decisions that they may replace. Each question takes the decision of the model and returns that
// of the observers; without observers it is the same.
//
// Limits: only the first kWatchedWarps warps have a point, and only after probes(); a warp is watched if its point has
// an observer. All functions but probes(), watches(), note() and clears() need a warp that is watched. Leaving entries
// are one bit a way, so an observed window has at most 64 entries. The watch changes no window.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/core/warp_probes.h"
#include "models/ports/register_prepare.h"
#include "models/stages/storage_points.h"
#include "models/stages/warp_window.h"

namespace heddle {

class WindowWatch {
 public:
  using What = WindowPoint::View::What;
  using Ways = std::array<std::uint32_t, WindowPoint::kSources>;
  static constexpr std::size_t kWatchedWarps = 4;

  /// Result of a look-up. `way`: WarpWindow::kNoWay if the window lacks the register. `hit`: it has all lanes.
  struct Found {
    std::uint32_t way;
    bool hit;
  };
  /// Entries that leave, and those of them whose values are written below: one bit for each way.
  struct Leaving {
    std::uint64_t leaves = 0, backs = 0;
  };

  WindowWatch(const WindowPoint::Owner& shape, std::size_t warps)
      : points_(std::min(kWatchedWarps, warps), shape) {}

  /// Creates the points, one for each watched warp.
  void probes(const ProbeScope& scope) { points_.probes(scope); }
  bool watches(WarpId warp) const { return points_.observed(warp) != nullptr; }

  Found read(WarpId warp, RegId reg, LaneMask lanes, Found found) const;
  /// Looks up the register of a result. Takes and returns its way.
  std::uint32_t find_result(WarpId warp, RegId reg, std::uint32_t way) const;
  /// Looks up the sources of an announcement, as many as there are ports. Replaces their ways.
  void find_sources(WarpId warp, std::span<const RegisterWord> words, Ways& ways) const;
  /// Takes and returns the way of a further register.
  std::uint32_t choose(WarpId warp, std::uint32_t way) const;
  /// Time passes for the entries. `advances`: an instruction is announced.
  Leaving slide(WarpId warp, const WarpWindow& window, bool advances) const;

  void note(WarpId warp, const WarpWindow::Entry& entry, What what, LaneMask lanes = 0,
            bool hinted = false) const {
    if (watches(warp)) report(warp, entry, what, lanes, hinted);
  }
  void clears(WarpId warp) const;

 private:
  const Probe<WindowPoint>& point(WarpId warp) const { return *points_.observed(warp); }
  void report(WarpId warp, const WarpWindow::Entry& entry, What what, LaneMask lanes, bool hinted) const;

  WarpProbes<WindowPoint> points_;
};

}  // namespace heddle
