#pragma once

// Models the mode of the fast rows (Abdel-Majeed 2016, 6.5.2.1). With the back gate on, an access takes one
// cycle. With the back gate off, it takes two cycles and less energy. The mode may change with every epoch:
// the issue slots used in one epoch decide the mode of the next.

#include <string>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

struct FastModeView {
  Cycle now = 0;
  std::uint64_t issued = 0;  ///< issue slots used in this cycle, which is complete
};

struct FastModePoint {
  using Owner = PartitionParameters;
  using View = FastModeView;
  using Answer = bool;  ///< true: back gate off from the next cycle on
  static constexpr bool kEndOfCycle = true;
};

class FastMode {
 public:
  FastMode(const PartitionParameters& parameters, const StatsScope& stats);

  bool adaptive() const { return adaptive_; }
  /// An issue slot was used in this cycle. It counts for the mode of later cycles.
  void issued(Cycle now);
  /// True if the back gate is off in cycle `now`. Issues in this cycle or later do not count.
  bool low(Cycle now) {
    if (adaptive_ && now >= next_epoch_) enter(now);
    return low_;
  }
  void settle(Cycle cycle);
  /// Counters of cycles start with `cycle`.
  void begins(Cycle cycle);
  /// True with an observer, which requires a call of begin_cycle() in every cycle.
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
  std::uint64_t issues_ = 0;  ///< issues of the current epoch
  struct Change {
    Cycle from;
    bool low;
  };
  Cycle counted_ = 0;
  bool counted_low_;             ///< the mode in cycle counted_
  std::vector<Change> changes_;  ///< changes of the mode since counted_
  /// For the probe: the last cycle with an issue, and the one before it.
  FastModeView seen_, before_;
  Probe<FastModePoint> probe_;
  Counter& low_cycles_;
};

}  // namespace heddle
