#pragma once

// All outputs of a run. RunOutputs receives the run's callbacks. Outputs that grow with the run are written
// during the run. All files appear together at the end, also if the run ended early.

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/run/out_folder.h"
#include "testbench/run/output_parameters.h"
#include "testbench/run/run_session.h"

namespace heddle::analysis {
class AnalysisSet;
}
namespace heddle::output {
class HtmlPage;
class IntervalRecorder;
class ResultWriter;
using CountersByName = std::vector<std::pair<std::string, std::size_t>>;
class Profiler;
struct ProgramProfile;
class TimelineRecorder;
class WaveRecorder;
}  // namespace heddle::output

namespace heddle {

class RunOutputs {
 public:
  /// Creates and locks the folder (OutFolder) if the parameters name one. `printed`: the caller will call
  /// print_result().
  explicit RunOutputs(const OutputParameters& parameters, bool printed = false);
  /// Keeps only the waveform, for a run that failed.
  ~RunOutputs();

  /// Throws Error if the run would overwrite an input or a file that Heddle did not write, or if two of its
  /// own files have one name.
  void check_files(const run::RunSession& session);

  /// Attaches the requested outputs to the GPU as observers; outputs that are off cost no time. Call it after
  /// the session has built its GPU and its counters are known. The session must outlive this object's last
  /// interval.
  void attach(run::RunSession& session);
  /// Attaches the requested outputs to a GPU without a session. Such a run has no result.json, and it has
  /// intervals.csv only with interval_cycles.
  void observe(Gpu& gpu, StatsRegistry& stats, const power::EnergyAccount* energy = nullptr,
               const run::CoSimulation* co_simulation = nullptr, Cycle interval_cycles = 0);
  void launch_begins(const isa::KernelLaunch& launch);
  void launch_ended(const run::LaunchRecord& record);
  void interval(Cycle cycle);

  /// Adds a file to those of the run, and sections to the run's report. Both are made from the contents of
  /// result.json, so a run that ended early has neither.
  struct Addition {
    std::string file;
    std::function<std::string(const ConfigNode& result)> text;
    std::function<void(output::HtmlPage& page, const ConfigNode& result)> sections;
  };
  void add(Addition addition) { addition_ = std::move(addition); }

  /// Publishes all files and replaces those of an earlier run.
  void finish(run::RunSession& session);

  /// Prints the text of result.json after finish(), with or without a folder.
  void print_result(std::FILE* to) const;

  /// Returns the results of the analyses as a tree; empty without analyses
  /// (testbench/analysis/analysis_set.h).
  ConfigNode analyses() const;

  /// Returns the profiler's counts; empty without a profiler. Profiles are counted even without a folder.
  const std::vector<output::ProgramProfile>& profiles() const;

  bool writes() const { return folder_ != nullptr; }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  std::vector<std::string> files(const run::RunSession& session) const;
  void begin_result(run::RunSession& session);
  void write_files(run::RunSession& session, const output::CountersByName& order);
  void write_observations();
  void add_counters();

  OutputParameters parameters_;
  Addition addition_;
  std::unique_ptr<run::OutFolder> folder_;  ///< must outlive the writers of its files
  File unnamed_;  ///< contents of result.json, if result.json is printed and the run has no folder
  Gpu* gpu_ = nullptr;
  bool printed_, finished_ = false;
  std::unique_ptr<output::ResultWriter> result_;
  std::unique_ptr<output::WaveRecorder> waves_;
  std::vector<std::string> stall_reasons_;  ///< names by number, for waveforms
  std::unique_ptr<output::Profiler> profiler_;
  std::unique_ptr<output::TimelineRecorder> timeline_;
  std::unique_ptr<output::IntervalRecorder> intervals_;
  std::unique_ptr<analysis::AnalysisSet> analyses_;
};

}  // namespace heddle
