#pragma once

// intervals.csv: what the counters added from one interval record to the next, summed over the SMs.

#include <string>
#include <vector>

#include "models/core/stats.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

class IntervalRecorder {
 public:
  /// With an energy account, rows also hold the mean power of every structure.
  explicit IntervalRecorder(const StatsRegistry& stats, const power::EnergyAccount* energy = nullptr)
      : stats_(&stats), energy_(energy) {}

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
  void add_power(const Row& row, Cycle cycles);

  const StatsRegistry* stats_;
  const power::EnergyAccount* energy_;
  std::vector<std::uint64_t> before_;
  std::vector<Row> rows_;  ///< of the present launch
  std::string text_;
};

}  // namespace heddle::output
