#pragma once

// The launches of one kernel and block, in the order of the run. Some are timed; those between two that were are
// interpolated, all quantities alike. The more often a timed one takes as long as those before it let expect, the fewer are timed.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/stats.h"
#include "testbench/run/estimate_parameters.h"
#include "testbench/run/launch_estimate.h"
#include "testbench/run/untimed_counts.h"

namespace heddle::run {

class LaunchSeries {
 public:
  LaunchSeries(const EstimateParameters& parameters, const StatsRegistry& stats)
      : parameters_(&parameters), stats_(&stats) {}

  /// What is known of a launch before it is timed.
  struct Size {
    std::uint32_t index = 0;  ///< position in the run
    double instructions = 0;  ///< of its program
    double segments = 0;      ///< of global memory
  };
  static Size size_of(std::uint32_t index, const UntimedCounts& counts);

  bool is_timed(const Size& size) const;
  /// Cycles between which a launch is expected, by those timed before; none of the first ones.
  struct Expected {
    double low = 0, high = 0;
    bool alike = false;  ///< the one timed last has its size and its share of accesses to global memory
  };
  std::optional<Expected> expected(const Size& size) const;
  /// Gives the launches since the one timed before: they lie between two now. Up to four times as many are left out next, if
  /// these would err by no more than the permitted share of all cycles so far (of the run), and half as many otherwise.
  std::vector<LaunchEstimate> add_timed(const Size& size, LaunchEstimate estimate, double cycles_so_far);
  /// As far as the one timed last says; add_timed and end say it again, better.
  LaunchEstimate add_untimed(const Size& size, const UntimedCounts& counts);
  /// The launches since the one timed last, after the last of all.
  std::vector<LaunchEstimate> end();

 private:
  struct Timed {
    Size size;
    LaunchEstimate estimate;  ///< without windows
  };
  struct Pending {
    Size size;
    UntimedCounts counts;  ///< what is exact, and no more
  };
  LaunchEstimate between(const Pending& one, const Timed& a, const Timed& b, double miss) const;

  const EstimateParameters* parameters_;
  const StatsRegistry* stats_;
  std::uint64_t launches_timed_ = 0;
  std::optional<Timed> last_, before_;
  double miss_ = 0;        ///< of what was expected of the last one, relative
  std::uint64_t gap_ = 1;  ///< from the last one to the next that is timed
  std::vector<Pending> pending_;
};

}  // namespace heddle::run
