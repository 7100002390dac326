#pragma once

// Writes all outputs of a run. Outputs that grow with the length of the run, such as intervals.csv, are
// written during the run. All files appear together at the end, also if the run ended early.

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
class CompressedFile;
class HtmlPage;
class IntervalRecorder;
class PipelineRecorder;
class ResultWriter;
using CountersByName = std::vector<std::size_t>;
class Profiler;
struct ProgramProfile;
class TimelineRecorder;
class WaveRecorder;
}  // namespace heddle::output

namespace heddle {

class RunOutputs {
 public:
  /// Creates and locks the output folder, if the parameters name one. `printed`: true if the caller will call
  /// print_result() after the run.
  explicit RunOutputs(const OutputParameters& parameters, bool printed = false);
  /// Discards all files of a failed run except the waveform.
  ~RunOutputs();

  /// Throws Error if the run would overwrite an input file or a file that Heddle did not write, or if two
  /// output files would have the same name.
  void check_files(const run::RunSession& session);

  /// Attaches the configured outputs to the GPU as observers. An output that is switched off costs no
  /// simulation time. Call after the session has built its GPU. The session must outlive all later calls.
  void attach(run::RunSession& session);
  /// Attaches the configured outputs to a GPU that has no session (heddle exec). Such a run writes no
  /// result.json. It writes intervals.csv only with watch.interval_cycles.
  void observe(Gpu& gpu, StatsRegistry& stats, const power::EnergyAccount* energy = nullptr,
               const run::CoSimulation* co_simulation = nullptr, Cycle interval_cycles = 0);
  void launch_begins(const isa::KernelLaunch& launch);
  void launch_ended(const run::LaunchRecord& record);
  void interval(Cycle cycle);

  /// A further file of the run, and further sections of report.html. The functions `text` and `sections` make
  /// them from result.json. finish() leaves both out if the run ended early.
  struct Addition {
    std::string file;
    std::function<std::string(const ConfigNode& result)> text;
    std::function<void(output::HtmlPage& page, const ConfigNode& result)> sections;
  };
  void add(Addition addition) { addition_ = std::move(addition); }

  /// Sets a function that makes the text at the beginning of report.html. It receives result.json and the
  /// text of profile.csv.
  using Explain = std::function<std::string(const ConfigNode& result, const std::string& profile_csv)>;
  void explain_by(Explain explain) { explain_ = std::move(explain); }

  void finish(run::RunSession& session);

  /// Prints result.json. Call after finish(). It also works without an output folder.
  void print_result(std::FILE* to) const;

  ConfigNode analyses() const;

  /// Returns the counts of the profile. Call after finish(). Empty without --profile.
  const std::vector<output::ProgramProfile>& profiles() const;

  bool writes() const { return folder_ != nullptr; }
  /// Returns a sentence about the log of the pipeline. Call after finish(). Empty if no log is written.
  const std::string& pipeline_note() const { return pipeline_note_; }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  std::vector<std::string> files(const run::RunSession& session) const;
  void check_pipeline(const std::vector<std::string>& written, const std::vector<std::string>& inputs) const;
  void begin_result(run::RunSession& session);
  void write_files(run::RunSession& session, const output::CountersByName& order);
  void write_observations();
  void write_pipeline();
  bool perfetto() const { return parameters_.timeline_format == "perfetto"; }
  void add_counters();

  OutputParameters parameters_;
  Addition addition_;
  Explain explain_;
  std::unique_ptr<run::OutFolder> folder_;  ///< The folder must outlive the objects that write its files.
  File unnamed_;  ///< text of result.json, if it is printed and the run has no folder
  Gpu* gpu_ = nullptr;
  bool printed_, finished_ = false;
  std::unique_ptr<output::ResultWriter> result_;
  std::unique_ptr<output::WaveRecorder> waves_;
  std::vector<std::string> stall_reasons_;
  std::unique_ptr<output::Profiler> profiler_;
  std::unique_ptr<output::TimelineRecorder> timeline_;
  std::unique_ptr<output::IntervalRecorder> intervals_;
  std::unique_ptr<analysis::AnalysisSet> analyses_;
  std::unique_ptr<output::CompressedFile> pipeline_file_;
  /// two recorders of instructions: one for the log of the pipeline, one for the timeline
  std::unique_ptr<output::PipelineRecorder> pipeline_, timeline_instructions_;
  std::string pipeline_note_;
};

}  // namespace heddle
