#pragma once

// Everything that a run writes. The hooks of a run are passed on to this object. What grows with the run is written as
// it comes; the files take their places together at the end, for a run that was ended early too.

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
  /// Makes and claims the folder (OutFolder), where one is asked for. `printed`: print_result() will be called.
  explicit RunOutputs(const OutputParameters& parameters, bool printed = false);
  /// Of a run that failed, the waveform alone takes its place.
  ~RunOutputs();

  /// Throws Error if the run would write over a file that it reads or that no run of Heddle wrote, or two of its own
  /// files over each other.
  void check_files(const run::RunSession& session);

  /// The session's GPU has been built; its counters are known. What is asked for observes it from here on; nothing else
  /// costs time. The session outlives this object's last interval.
  void attach(run::RunSession& session);
  /// The same of a GPU without a session: there is no result.json, and intervals.csv only with interval_cycles.
  void observe(Gpu& gpu, StatsRegistry& stats, const power::EnergyAccount* energy = nullptr,
               const run::CoSimulation* co_simulation = nullptr, Cycle interval_cycles = 0);
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

  /// Writes all files. They take the places of those that an earlier run left in the folder.
  void finish(run::RunSession& session);

  /// The text of result.json, whether there is a folder or not, after finish().
  void print_result(std::FILE* to) const;

  /// What the analyses found, as a tree; empty without them (testbench/analysis/analysis_set.h).
  ConfigNode analyses() const;

  /// What the profiler has counted; empty without it. Profiles are counted without a folder, too.
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
  std::unique_ptr<run::OutFolder> folder_;  ///< outlives whoever writes into its files
  File unnamed_;                            ///< result.json where it is printed, and there is no folder
  Gpu* gpu_ = nullptr;
  bool printed_, finished_ = false;
  std::unique_ptr<output::ResultWriter> result_;
  std::unique_ptr<output::WaveRecorder> waves_;
  std::vector<std::string> stall_reasons_;  ///< by number, for waveforms
  std::unique_ptr<output::Profiler> profiler_;
  std::unique_ptr<output::TimelineRecorder> timeline_;
  std::unique_ptr<output::IntervalRecorder> intervals_;
  std::unique_ptr<analysis::AnalysisSet> analyses_;
};

}  // namespace heddle
