#pragma once

// intervals.csv: what the counters added from one interval record to the next, summed over the SMs.

#include <string>
#include <vector>

#include "models/core/stats.h"
#include "testbench/run/new_file.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// Of a run: plots show no more, and a run of any length takes no more memory.
inline constexpr std::size_t kMostSamples = 65536;

/// What is plotted of an interval; means over its cycles.
struct IntervalSample {
  Cycle begin = 0, end = 0;
  Cycle cycles = 0;  ///< between them, but for those between two launches
  double ipc = 0, resident_warps = 0, active_warps = 0;
  std::vector<double> power_mw;  ///< by structure, as structures() names them
  double all_power_mw() const {
    double sum = 0;
    for (const double one : power_mw) sum += one;
    return sum;
  }
  /// Takes in the one after it.
  void add(const IntervalSample& next);
};

/// Every `group` neighbours as one.
std::vector<IntervalSample> merged(const std::vector<IntervalSample>& samples, std::size_t group);

class IntervalRecorder {
 public:
  /// Rows go to `file`, which outlives the recorder, as their intervals end; nullptr: there are none. With an energy
  /// account they also hold the mean power of every structure. `keep_samples`: what samples() gives is kept.
  /// `counters`: columns beside those that every file has, by CounterView's names; Error for one that the run does
  /// not have.
  IntervalRecorder(const StatsRegistry& stats, run::NewFile* file,
                   const power::EnergyAccount* energy = nullptr, bool keep_samples = false,
                   std::vector<std::string> counters = {});

  void launch_begins(const isa::KernelLaunch& launch);
  /// An interval ends before `cycle`, of a launch that began in `launch_begin`. The rows of a launch sum to its
  /// counters.
  void interval(Cycle launch_begin, Cycle cycle);
  /// The last interval of a launch ends with it.
  void launch_ended(const run::LaunchRecord& record);

  /// At most kMostSamples: where there are more intervals, neighbouring ones stand as one.
  const std::vector<IntervalSample>& samples() const { return samples_; }
  const std::vector<std::string>& structures() const { return structures_; }

 private:
  struct Row {
    Cycle begin = 0, end = 0;
    std::vector<std::uint64_t> added;  ///< in the order of StatsRegistry::counters()
    Cycle cycles() const { return end - begin; }
  };
  /// Counters whose sum is a column: their places in a row. Names are looked up once, as there are many rows.
  using Column = std::vector<std::size_t>;
  void add_heading();
  void add_row(Cycle begin, Cycle end);
  void add_text(const Row& row, const power::EnergyReport* energy);
  void keep(const Row& row, const power::EnergyReport* energy);

  const StatsRegistry* stats_;
  run::NewFile* file_;
  const power::EnergyAccount* energy_;
  std::vector<std::uint64_t> before_;
  Cycle last_end_ = 0;  ///< of the last row of the present launch, if it has one
  bool has_rows_ = false;
  std::uint32_t launch_ = 0;
  std::string kernel_;
  bool keep_samples_;
  std::size_t group_ = 1, in_group_ = 0;  ///< intervals that are one sample; those in the last one
  std::vector<std::string> counters_;
  Column issued_, resident_, active_;
  std::vector<Column>
      columns_;  ///< written as they are: the first `idle_` before the power, the others after it
  std::size_t idle_ = 0;
  std::vector<std::string> structures_;
  std::vector<IntervalSample> samples_;
};

}  // namespace heddle::output
