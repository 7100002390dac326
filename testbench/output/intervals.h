#pragma once

// Writes intervals.csv: one row for each interval of cycles, with the increments of the counters, summed over
// the SMs.

#include <string>
#include <vector>

#include "models/core/stats.h"
#include "testbench/launch/new_file.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// Largest number of samples kept for plots, so that memory is bounded for runs of any length.
inline constexpr std::size_t kMostSamples = 65536;

struct IntervalSample {
  Cycle begin = 0, end = 0;
  /// Cycles in the sample's intervals; fewer than end - begin if a launch ends within the sample.
  Cycle cycles = 0;
  double ipc = 0, resident_warps = 0, active_warps = 0;
  std::vector<double> power_mw;  ///< mean power of each structure in mW, in the order of structures()
  double all_power_mw() const {
    double sum = 0;
    for (const double one : power_mw) sum += one;
    return sum;
  }
  void add(const IntervalSample& next);
};

std::vector<IntervalSample> merged(const std::vector<IntervalSample>& samples, std::size_t group);

class IntervalRecorder {
 public:
  /// `file` receives each row; nullptr: no rows. The file must outlive the recorder. With an energy account,
  /// rows hold every structure's mean power. `keep_samples`: the caller will use samples(). `counters`:
  /// additional columns; throws Error for an unknown one.
  IntervalRecorder(const StatsRegistry& stats, launch::NewFile* file,
                   const power::EnergyAccount* energy = nullptr, bool keep_samples = false,
                   std::vector<std::string> counters = {});

  void launch_begins(const isa::KernelLaunch& launch);
  /// Writes the row of an interval that ends before `cycle`. The launch of the interval began in cycle
  /// `launch_begin`. The rows of a launch sum to its counters.
  void interval(Cycle launch_begin, Cycle cycle);
  void launch_ended(const run::LaunchRecord& record);

  /// Returns at most kMostSamples samples; in longer runs, neighbouring intervals are merged.
  const std::vector<IntervalSample>& samples() const { return samples_; }
  const std::vector<std::string>& structures() const { return structures_; }

 private:
  struct Row {
    Cycle begin = 0, end = 0;
    /// increments of all counters in the interval, in the order of StatsRegistry::counters()
    std::vector<std::uint64_t> added;
    Cycle cycles() const { return end - begin; }
  };
  /// positions of the counters that a column sums
  using Column = std::vector<std::size_t>;
  void add_heading();
  void add_row(Cycle begin, Cycle end);
  void add_text(const Row& row, const power::EnergyReport* energy);
  void keep(const Row& row, const power::EnergyReport* energy);

  const StatsRegistry* stats_;
  launch::NewFile* file_;
  const power::EnergyAccount* energy_;
  std::vector<std::uint64_t> before_;
  Cycle last_end_ = 0;  ///< last cycle for which the current launch has a row
  bool has_rows_ = false;
  std::uint32_t launch_ = 0;
  std::string kernel_;
  bool keep_samples_;
  /// number of intervals in each sample, and in the unfinished last sample
  std::size_t group_ = 1, in_group_ = 0;
  std::vector<std::string> counters_;
  Column issued_, resident_, active_;
  /// columns of the file; the first `idle_` of them stand before the power columns
  std::vector<Column> columns_;
  std::size_t idle_ = 0;
  std::vector<std::string> structures_;
  std::vector<IntervalSample> samples_;
};

}  // namespace heddle::output
