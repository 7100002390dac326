#pragma once

// Launches of one kernel with one block size, in the order of the run. Some launches are timed, and all
// quantities of the launches between them are interpolated. The better timed launches were predicted, the
// fewer of the following launches are timed.

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
    std::uint32_t index = 0;  ///< index of the launch in the run
    double instructions = 0;  ///< warp-instructions of the launch's program
    double segments = 0;      ///< number of the launch's accesses to 128-byte segments of global memory
  };
  static Size size_of(std::uint32_t index, const UntimedCounts& counts);

  bool is_timed(const Size& size) const;
  /// Range in which a launch's cycles are expected, from earlier timed launches. The first launches have no
  /// such range.
  struct Expected {
    double low = 0, high = 0;
    /// True: the last timed launch has the same size and the same share of global accesses.
    bool alike = false;
  };
  std::optional<Expected> expected(const Size& size) const;
  /// Adds a timed launch. Returns the estimates of the launches between the previous timed launch and this
  /// launch. If the error of all cycles so far is within the permitted error, up to four times as many
  /// launches are skipped next. Otherwise half as many launches are skipped.
  std::vector<LaunchEstimate> add_timed(const Size& size, LaunchEstimate estimate, double cycles_so_far);
  /// Returns a first estimate, from the last timed launch. add_timed() or end() later returns an improved
  /// estimate.
  LaunchEstimate add_untimed(const Size& size, const UntimedCounts& counts);
  /// Returns the estimates of the launches after the last timed one, at the end of the run.
  std::vector<LaunchEstimate> end();

 private:
  struct Timed {
    Size size;
    LaunchEstimate estimate;  ///< estimate of the timed launch, without measurements of single windows
  };
  struct Pending {
    Size size;
    UntimedCounts counts;
  };
  LaunchEstimate between(const Pending& one, const Timed& a, const Timed& b, double miss) const;

  const EstimateParameters* parameters_;
  const StatsRegistry* stats_;
  std::uint64_t launches_timed_ = 0;
  std::optional<Timed> last_, before_;
  double miss_ = 0;        ///< relative error with which the last timed launch was predicted
  std::uint64_t gap_ = 1;  ///< number of launches from the last timed launch to the next one to be timed
  std::vector<Pending> pending_;
};

}  // namespace heddle::estimate
