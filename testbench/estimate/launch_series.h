#pragma once

// Handles a series of launches: launches of one kernel with one block size, in the order of the run. Some
// launches are timed, and the others are interpolated. The better the cycles of timed launches could be
// predicted from earlier launches, the more launches are left untimed between two timed launches.

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

  struct Size {
    std::uint32_t index = 0;
    double instructions = 0;
    double segments = 0;  ///< number of the launch's accesses to 128-byte segments of global memory
  };
  static Size size_of(std::uint32_t index, const UntimedCounts& counts);

  /// Returns true if the launch must be timed. This holds for the first launches, for a launch at the end of
  /// a gap of untimed launches, and if the last timed launch does not predict the cycles well enough.
  /// `cycles_so_far`: cycles of all launches of the run so far.
  bool is_timed(const Size& size, double cycles_so_far) const;
  /// Range of cycles that earlier timed launches predict for this launch; absent for the first launches.
  struct Expected {
    double low = 0, high = 0;
    /// True if the last timed launch has the same size and as many global accesses per instruction as this
    /// launch.
    bool alike = false;
  };
  std::optional<Expected> expected(const Size& size) const;
  /// Adds a timed launch. Returns the estimates of the untimed launches since the previous timed launch. Also
  /// chooses the next gap, the distance to the next timed launch (n if n - 1 launches between them are
  /// untimed). The next gap is the first of these that fits, each up to a limit:
  /// - with estimate.paired_share: twice the last gap;
  /// - four times the last gap. The change of the cycles per instruction since the previous timed launch,
  ///   over all launches of this gap, must be within the permitted error of the cycles so far;
  /// - twice the last gap, with the same condition for the error of the prediction for this launch;
  /// - half the last gap.
  std::vector<LaunchEstimate> add_timed(const Size& size, LaunchEstimate estimate, double cycles_so_far);
  /// Returns a first estimate of an untimed launch, from the last timed launch. add_timed() or end() later
  /// returns a better one.
  LaunchEstimate add_untimed(const Size& size, const UntimedCounts& counts);
  /// Call at the end of the run. Returns the estimates of the untimed launches after the last timed launch.
  std::vector<LaunchEstimate> end();

 private:
  struct Timed {
    Size size;
    LaunchEstimate estimate;  ///< estimate of the timed launch, without its single windows
  };
  struct Pending {
    Size size;
    UntimedCounts counts;
  };
  LaunchEstimate between(const Pending& one, const Timed& a, const Timed& b, double miss) const;
  double cycles_by_size(double instructions, double cycles, const Timed& a, const Timed& b) const;
  double doubt(const Size& size) const;

  const EstimateParameters* parameters_;
  const StatsRegistry* stats_;
  std::uint64_t launches_timed_ = 0;
  std::optional<Timed> last_, before_;
  double miss_ = 0;
  double doubt_ = 0;       ///< sum of doubt() over pending_
  std::uint64_t gap_ = 1;  ///< number of launches from the last timed launch to the next one to be timed
  std::vector<Pending> pending_;
};

}  // namespace heddle::estimate
