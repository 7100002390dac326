#pragma once

// intervals.csv: what the counters added from one interval record to the next, summed over the SMs.

#include <string>
#include <vector>

#include "models/core/stats.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// What is plotted of an interval; means over its cycles.
struct IntervalSample {
  Cycle begin = 0, end = 0;
  double ipc = 0, resident_warps = 0, active_warps = 0;
  std::vector<double> power_mw;  ///< by structure, as structures() names them
  double all_power_mw() const {
    double sum = 0;
    for (const double one : power_mw) sum += one;
    return sum;
  }
};

class IntervalRecorder {
 public:
  /// With an energy account, rows also hold the mean power of every structure. `keep_samples`: what samples()
  /// gives is kept. `counters`: columns beside those that every file has, by CounterView's names; Error for
  /// one that the run does not have.
  explicit IntervalRecorder(const StatsRegistry& stats, const power::EnergyAccount* energy = nullptr,
                            bool keep_samples = false, std::vector<std::string> counters = {});

  void launch_begins();
  /// An interval ends before `cycle`.
  void interval(Cycle cycle);
  /// The last interval of a launch ends with it.
  void launch_ended(const run::LaunchRecord& record);

  /// One row an interval; the rows of a launch sum to its counters. Files of the same run are equal.
  std::string make_csv() const;
  const std::vector<IntervalSample>& samples() const { return samples_; }
  const std::vector<std::string>& structures() const { return structures_; }

 private:
  struct Row {
    Cycle end = 0;
    std::vector<std::uint64_t> added;  ///< in the order of StatsRegistry::counters()
  };
  /// Counters whose sum is a column: their places in a row. Names are looked up once, as there are many rows.
  using Column = std::vector<std::size_t>;
  void add_row(Cycle end);
  void add_text(const run::LaunchRecord& record, const Row& row, Cycle begin,
                const power::EnergyReport* energy);
  void keep(const Row& row, Cycle begin, const power::EnergyReport* energy);

  const StatsRegistry* stats_;
  const power::EnergyAccount* energy_;
  std::vector<std::uint64_t> before_;
  std::vector<Row> rows_;  ///< of the present launch
  std::string text_;
  bool keep_samples_;
  std::vector<std::string> counters_;
  Column issued_, resident_, active_;
  std::vector<Column>
      columns_;  ///< written as they are: the first `idle_` before the power, the others behind it
  std::size_t idle_ = 0;
  std::vector<std::string> structures_;
  std::vector<IntervalSample> samples_;
};

}  // namespace heddle::output
