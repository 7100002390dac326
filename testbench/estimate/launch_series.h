#pragma once

// Launches of one kernel and block, in the order of the run. Some are timed, and all quantities of those
// between are interpolated. The better the predictions of timed launches have been, the fewer launches are
// timed.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/stats.h"
#include "testbench/estimate/estimate_parameters.h"
#include "testbench/estimate/launch_estimate.h"
#include "testbench/estimate/untimed_counts.h"

namespace heddle::estimate {

class LaunchSeries {
 public:
  LaunchSeries(const EstimateParameters& parameters, const StatsRegistry& stats)
      : parameters_(&parameters), stats_(&stats) {}

  /// Properties of a launch that are known before it is timed.
  struct Size {
    std::uint32_t index = 0;  ///< position in the run
    double instructions = 0;  ///< of its program
    double segments = 0;      ///< of global memory
  };
  static Size size_of(std::uint32_t index, const UntimedCounts& counts);

  bool is_timed(const Size& size) const;
  /// Range in which a launch's cycles are expected, from earlier timed ones; nothing for the first launches.
  struct Expected {
    double low = 0, high = 0;
    bool alike = false;  ///< the last timed launch has its size and its share of global accesses
  };
  std::optional<Expected> expected(const Size& size) const;
  /// Returns the launches since the previous timed one, which now lie between two timed ones. Afterwards up
  /// to four times as many launches are skipped if the permitted error of all cycles so far would hold for
  /// them, otherwise half as many.
  std::vector<LaunchEstimate> add_timed(const Size& size, LaunchEstimate estimate, double cycles_so_far);
  /// First estimate, from the last timed launch; add_timed and end return an improved one.
  LaunchEstimate add_untimed(const Size& size, const UntimedCounts& counts);
  /// Launches after the last timed one, at the end of the run.
  std::vector<LaunchEstimate> end();

 private:
  struct Timed {
    Size size;
    LaunchEstimate estimate;  ///< without windows
  };
  struct Pending {
    Size size;
    UntimedCounts counts;  ///< exact values only
  };
  LaunchEstimate between(const Pending& one, const Timed& a, const Timed& b, double miss) const;

  const EstimateParameters* parameters_;
  const StatsRegistry* stats_;
  std::uint64_t launches_timed_ = 0;
  std::optional<Timed> last_, before_;
  double miss_ = 0;        ///< relative error of the last prediction
  std::uint64_t gap_ = 1;  ///< distance from the last timed launch to the next
  std::vector<Pending> pending_;
};

}  // namespace heddle::estimate
