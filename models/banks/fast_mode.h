#pragma once

// The mode of the fast rows (Abdel-Majeed 2016, 6.5.2.1): with the back gate on they take one cycle, off they
// take two and less energy. By epochs: the issue slots used in one decide the mode of the next.

#include <string>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

struct FastModeView {
  Cycle now = 0;
  std::uint64_t issued = 0;  ///< slots used in this cycle, which is over
};

struct FastModePoint {
  using Owner = PartitionParameters;
  using View = FastModeView;
  using Answer = bool;  ///< low from the next cycle on
  static constexpr bool kEndOfCycle = true;
};

class FastMode {
 public:
  FastMode(const PartitionParameters& parameters, const StatsScope& stats);

  bool adaptive() const { return adaptive_; }
  /// A slot was used in this cycle: counts for the mode from a later one on.
  void issued(Cycle now);
  /// Mode in a cycle; issues in this cycle or later do not count.
  bool low(Cycle now) {
    if (adaptive_ && now >= next_epoch_) enter(now);
    return low_;
  }
  void settle(Cycle cycle);
  /// Times count from here on.
  void begins(Cycle cycle);
  /// With an observer, every cycle begins with this call.
  bool probed() const { return probe_.attached(); }
  void begin_cycle(Cycle now);
  void probes(const ProbeScope& scope) {
    if (adaptive_) scope.part("fast_mode").add(probe_);
  }

 private:
  void enter(Cycle now);
  void set(Cycle from, bool low);

  bool adaptive_;
  Cycle epoch_;
  std::uint64_t threshold_;
  bool low_;
  Cycle next_epoch_;
  std::uint64_t issues_ = 0;  ///< of the present epoch
  struct Change {
    Cycle from;
    bool low;
  };
  Cycle counted_ = 0;
  bool counted_low_;             ///< the mode in cycle counted_
  std::vector<Change> changes_;  ///< since then
  FastModeView seen_,
      before_;  ///< in the last cycle with an issue, and in the one before it; kept for the probe
  Probe<FastModePoint> probe_;
  Counter& low_cycles_;
};

}  // namespace heddle
