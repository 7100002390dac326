#pragma once

// intervals.csv: what the counters added from one interval record to the next, summed over the SMs.

#include <string>
#include <vector>

#include "models/core/stats.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

class IntervalRecorder {
 public:
  explicit IntervalRecorder(const StatsRegistry& stats) : stats_(&stats) {}

  void launch_begins();
  /// An interval ends before `cycle`.
  void interval(Cycle cycle);
  /// The last interval of a launch ends with it.
  void launch_ended(const run::LaunchRecord& record);

  /// One row an interval; the rows of a launch sum to its counters. Files of the same run are equal.
  std::string make_csv() const;

 private:
  struct Row {
    Cycle end = 0;
    std::vector<std::uint64_t> added;  ///< in the order of StatsRegistry::counters()
  };
  void add_row(Cycle end);

  const StatsRegistry* stats_;
  std::vector<std::uint64_t> before_;
  std::vector<Row> rows_;  ///< of the present launch
  std::string text_;
};

}  // namespace heddle::output
