#pragma once

// Everything that a run writes. The hooks of a run are passed on to this object; the files appear at the end,
// for a run that was ended early too.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/run/output_parameters.h"
#include "testbench/run/run_session.h"

namespace heddle::analysis {
class AnalysisSet;
}
namespace heddle::output {
class HtmlPage;
class IntervalRecorder;
class Profiler;
struct ProgramProfile;
class TimelineRecorder;
class WaveRecorder;
}  // namespace heddle::output

namespace heddle {

class RunOutputs {
 public:
  /// Creates the folder. Throws Error if it cannot be written to.
  explicit RunOutputs(const OutputParameters& parameters);
  ~RunOutputs();

  /// Throws Error if the run would write over a file that it reads, or two of its own files over each other.
  void check_files(const run::RunSession& session) const;

  /// The GPU has been built; its counters are known. What is asked for observes it from here on; nothing else
  /// costs time. `energy`, if there is one, outlives this object's last interval.
  void attach(Gpu& gpu, StatsRegistry& stats, const power::EnergyAccount* energy = nullptr,
              const run::CoSimulation* co_simulation = nullptr);
  void launch_begins(const isa::KernelLaunch& launch);
  void launch_ended(const run::LaunchRecord& record);
  void interval(Cycle cycle);

  /// A file beside those of the run, and sections of its report; both are made from the contents of result.json. A run
  /// that was ended early has neither.
  struct Addition {
    std::string file;
    std::function<std::string(const ConfigNode& result)> text;
    std::function<void(output::HtmlPage& page, const ConfigNode& result)> sections;
  };
  void add(Addition addition) { addition_ = std::move(addition); }

  /// Writes all files. Those that an earlier run left in the folder, by its result.json, and that this one does not
  /// write, are removed.
  void finish(run::RunSession& session);

  /// What the analyses found, as a tree; empty without them (testbench/analysis/analysis_set.h).
  ConfigNode analyses() const;

  /// What the profiler has counted; empty without it. Profiles are counted without a folder, too.
  const std::vector<output::ProgramProfile>& profiles() const;

  bool writes() const { return !parameters_.folder.empty(); }
  std::string path(const std::string& file) const { return parameters_.folder + "/" + file; }

 private:
  std::vector<std::string> files(const run::RunSession& session) const;
  void remove_files_of_earlier_run(const run::RunSession& session) const;
  void write_observations();
  void add_counters();

  OutputParameters parameters_;
  Addition addition_;
  std::unique_ptr<output::WaveRecorder> waves_;
  std::vector<std::string> stall_reasons_;  ///< by number, for waveforms
  std::unique_ptr<output::Profiler> profiler_;
  std::unique_ptr<output::TimelineRecorder> timeline_;
  std::unique_ptr<output::IntervalRecorder> intervals_;
  std::unique_ptr<analysis::AnalysisSet> analyses_;
};

}  // namespace heddle
