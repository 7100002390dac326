#pragma once

// Probe points (WindowPoint) of the operand windows of the first warps. The functions below report events of
// a window to the observers. Some functions receive a decision of the model, and return the decision after
// the observers may have replaced it.
//
// Limits: only the first kWatchedWarps warps have a probe point, and only after a call of probes(). A warp is
// watched if its probe point has an observer. Only probes(), watches(), note() and clears() may be called for
// a warp that is not watched. The entries that leave a window are reported as a mask with one bit per way
// (slot of the window), so an observed window has at most 64 entries. This class changes no window.

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

  /// Result of a look-up. `way`: WarpWindow::kNoWay if the register is not in the window. `hit`: true if the
  /// entry has all lanes of the read.
  struct Found {
    std::uint32_t way;
    bool hit;
  };
  /// Bit masks of ways. `leaves`: entries that leave the window. `backs`: of these, the entries that are
  /// written to the stage below.
  struct Leaving {
    std::uint64_t leaves = 0, backs = 0;
  };

  WindowWatch(const WindowPoint::Owner& shape, std::size_t warps)
      : points_(std::min(kWatchedWarps, warps), shape) {}

  /// Creates the probe points, one for each of the first kWatchedWarps warps.
  void probes(const ProbeScope& scope) { points_.probes(scope); }
  bool watches(WarpId warp) const { return points_.observed(warp) != nullptr; }

  Found read(WarpId warp, RegId reg, LaneMask lanes, Found found) const;
  /// Reports the look-up of a result's register. `way`: way that the model found. Returns this way, or the
  /// way by which an observer replaces it.
  std::uint32_t find_result(WarpId warp, RegId reg, std::uint32_t way) const;
  /// Reports the look-up of up to kSources source registers of an announced instruction. `ways`: ways that
  /// the model found; observers may replace them.
  void find_sources(WarpId warp, std::span<const RegisterWord> words, Ways& ways) const;
  /// Reports the way (slot of the window) that the model has chosen for a new register. Returns this way, or
  /// the way by which an observer replaces it.
  std::uint32_t choose(WarpId warp, std::uint32_t way) const;
  /// Reports the entries that leave the window. Returns them, or the entries by which an observer replaces
  /// them. `advances`: true if the announcement of an instruction moves the window, false if a write-back
  /// that was refused is tried again.
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
