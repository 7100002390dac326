#pragma once

// Models the fast rows of a partitioned register file (Abdel-Majeed 2016, 6.5.2.1). The transistors of these
// rows (FinFETs) have a back gate. With the back gate on, an access takes one cycle. With the back gate off, an
// access takes two cycles and less energy. The number of issue slots used in one epoch (a fixed number of
// cycles) determines whether the back gate is on in the next epoch.

#include <string>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

struct FastModeView {
  Cycle now = 0;
  std::uint64_t issued = 0;  ///< Issue slots used in cycle `now`, which is complete.
};

struct FastModePoint {
  using Owner = PartitionParameters;
  using View = FastModeView;
  using Answer = bool;
  static constexpr bool kEndOfCycle = true;
};

class FastMode {
 public:
  FastMode(const PartitionParameters& parameters, const StatsScope& stats);

  bool adaptive() const { return adaptive_; }
  void issued(Cycle now);
  /// Returns true if the fast rows are in the low mode (back gate off) in cycle `now`.
  bool low(Cycle now) {
    if (adaptive_ && now >= next_epoch_) enter(now);
    return low_;
  }
  void settle(Cycle cycle);
  void begins(Cycle cycle);
  /// Returns true if an observer is attached. If true, the caller must call begin_cycle() in every cycle.
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
  std::uint64_t issues_ = 0;
  struct Change {
    Cycle from;
    bool low;
  };
  Cycle counted_ = 0;
  bool counted_low_;
  std::vector<Change> changes_;
  FastModeView seen_, before_;
  Probe<FastModePoint> probe_;
  Counter& low_cycles_;
};

}  // namespace heddle
