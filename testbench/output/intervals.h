#pragma once

// Writes intervals.csv. It has one row for each interval of cycles. A row contains the increment of each
// counter during the interval, summed over the SMs.

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
  /// Number of cycles in the intervals of this sample. It is less than end - begin if a launch ends within
  /// the sample.
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
  /// Records the counters at the end of each interval. `file` receives each row; nullptr: no rows are
  /// written. The file must outlive the recorder. With an energy account, rows contain the mean power of
  /// every structure. `keep_samples`: true if the caller will use samples(). `counters`: additional columns.
  /// Throws Error for an unknown counter.
  IntervalRecorder(const StatsRegistry& stats, launch::NewFile* file,
                   const power::EnergyAccount* energy = nullptr, bool keep_samples = false,
                   std::vector<std::string> counters = {});

  void launch_begins(const isa::KernelLaunch& launch);
  /// Writes the row of an interval whose last cycle is `cycle` - 1, in a launch that began in cycle
  /// `launch_begin`. The rows of a launch add up to the counters of the launch.
  void interval(Cycle launch_begin, Cycle cycle);
  void launch_ended(const run::LaunchRecord& record);

  /// Returns the samples for plots, at most kMostSamples. In runs with more intervals than that, a sample
  /// covers several neighbouring intervals.
  const std::vector<IntervalSample>& samples() const { return samples_; }
  const std::vector<std::string>& structures() const { return structures_; }

 private:
  struct Row {
    Cycle begin = 0, end = 0;
    /// increments of all counters in the interval, in the order of StatsRegistry::counters()
    std::vector<std::uint64_t> added;
    Cycle cycles() const { return end - begin; }
  };
  /// indices of the counters whose sum is the value of a column
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
  /// A sample covers `group_` intervals in a row. The last sample covers `in_group_` intervals so far.
  std::size_t group_ = 1, in_group_ = 0;
  std::vector<std::string> counters_;
  Column issued_, resident_, active_;
  /// columns of the file, without the power columns. The first `idle_` columns stand before the power
  /// columns, the others after them.
  std::vector<Column> columns_;
  std::size_t idle_ = 0;
  std::vector<std::string> structures_;
  std::vector<IntervalSample> samples_;
};

}  // namespace heddle::output
