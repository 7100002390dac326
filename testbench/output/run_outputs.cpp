#include "testbench/output/run_outputs.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/analysis/analysis_set.h"
#include "testbench/launch/npy.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/gtkwave.h"
#include "testbench/output/html_page.h"
#include "testbench/output/intervals.h"
#include "testbench/output/profile.h"
#include "testbench/output/result_file.h"
#include "testbench/output/run_report.h"
#include "testbench/output/timeline.h"
#include "testbench/output/waves.h"
#include "testbench/run/new_file.h"

namespace heddle {
namespace {

void write_buffer(const launch::BufferView& buffer, const std::string& path) {
  run::NewFile file(path);
  launch::write_npy(file.part(), buffer.type, buffer.data);
  file.commit();
}

}  // namespace

RunOutputs::RunOutputs(const OutputParameters& parameters) : parameters_(parameters) {
  if (!writes()) return;
  std::error_code ec;
  std::filesystem::create_directories(parameters_.folder, ec);
  if (ec) throw Error(parameters_.folder, "cannot make the output folder: " + ec.message());
  if (::access(parameters_.folder.c_str(), W_OK) != 0)
    throw Error(parameters_.folder, "the output folder cannot be written to");
}

RunOutputs::~RunOutputs() = default;

std::vector<std::string> RunOutputs::files(const run::RunSession& session) const {
  std::vector<std::string> names = {"result.json", "stats.csv", "energy.csv", "printf.txt"};
  const auto add = [&names](bool written, std::initializer_list<const char*> more) {
    if (written) names.insert(names.end(), more.begin(), more.end());
  };
  add(parameters_.profile, {"profile.txt", "profile.csv"});
  add(parameters_.timeline, {"timeline.json"});
  add(parameters_.report, {"report.html"});
  add(parameters_.intervals, {"intervals.csv"});
  add(!parameters_.analyses.empty(), {"analysis.csv", "analysis.md"});
  if (parameters_.vcd.enabled) {
    names.push_back(parameters_.vcd.file);
    for (const std::string& name : output::gtkwave_files(parameters_.vcd.file)) names.push_back(name);
  }
  if (addition_.text && !session.result().interrupted) names.push_back(addition_.file);
  if (parameters_.npy)
    for (const launch::OutputSpec& output : session.launch_file().outputs)
      names.push_back(output.buffer + ".npy");
  for (std::string& name : names) name = std::filesystem::path(path(name)).lexically_normal().string();
  return names;
}

void RunOutputs::check_files(const run::RunSession& session) const {
  if (!writes()) return;
  const std::vector<std::string> written = files(session);
  std::vector<std::string> inputs = session.parameters().read_from;
  for (const run::InputFile& input : session.inputs()) inputs.push_back(input.path);
  run::check_overwrites_no_input(written, inputs, "output.folder");
  for (auto file = written.begin(); file != written.end(); ++file)
    if (std::find(written.begin(), file, *file) != file)
      throw Error("output.vcd.file", "two outputs of the run would be " + *file, "another name");
}

void RunOutputs::attach(Gpu& gpu, StatsRegistry& stats, const power::EnergyAccount* energy,
                        const run::CoSimulation* co_simulation) {
  if (!parameters_.analyses.empty())
    analyses_ = std::make_unique<analysis::AnalysisSet>(parameters_.analyses, gpu);
  if (!writes()) {
    if (parameters_.profile) profiler_ = std::make_unique<output::Profiler>(gpu);
    return;
  }
  if (parameters_.vcd.enabled)
    waves_ = std::make_unique<output::WaveRecorder>(parameters_.vcd, path(parameters_.vcd.file), gpu,
                                                    co_simulation);
  stall_reasons_ = gpu.sm(0).issue().stall_reasons();
  if (parameters_.profile || parameters_.report) profiler_ = std::make_unique<output::Profiler>(gpu);
  if (parameters_.timeline || parameters_.report)
    timeline_ = std::make_unique<output::TimelineRecorder>(parameters_.timeline_limits, gpu);
  if (parameters_.intervals || parameters_.over_time())
    intervals_ = std::make_unique<output::IntervalRecorder>(stats, energy, parameters_.over_time(),
                                                            parameters_.interval_counters);
}

void RunOutputs::launch_begins(const isa::KernelLaunch& launch) {
  if (profiler_) profiler_->launch_begins(launch);
  if (intervals_) intervals_->launch_begins();
}

void RunOutputs::launch_ended(const run::LaunchRecord& record) {
  if (timeline_) timeline_->launch_ended(record);
  if (intervals_) intervals_->launch_ended(record);
}

void RunOutputs::interval(Cycle cycle) {
  if (intervals_) intervals_->interval(cycle);
}

ConfigNode RunOutputs::analyses() const { return analyses_ ? analyses_->tree() : ConfigNode::make_object(); }

const std::vector<output::ProgramProfile>& RunOutputs::profiles() const {
  static const std::vector<output::ProgramProfile> none;
  return profiler_ ? profiler_->profiles() : none;
}

// Names without folders alone, and nothing that the run reads.
void RunOutputs::remove_files_of_earlier_run(const run::RunSession& session) const {
  namespace fs = std::filesystem;
  std::error_code missing;
  if (!fs::exists(path("result.json"), missing)) return;
  ConfigNode earlier;
  try {
    earlier = parse_config_file(path("result.json"));
  } catch (const Error&) {
    return;  // of somebody else
  }
  const ConfigNode* names = earlier.is_object() ? earlier.find("files") : nullptr;
  if (!names) return;
  const std::vector<std::string> written = files(session);
  std::vector<std::string> kept = session.parameters().read_from;
  for (const run::InputFile& input : session.inputs()) kept.push_back(input.path);
  for (const ConfigNode& name : names->items) {
    const std::string file = fs::path(path(name.text)).lexically_normal().string();
    if (name.text.empty() || fs::path(name.text).filename() != name.text || name.text.front() == '.' ||
        std::find(written.begin(), written.end(), file) != written.end())
      continue;
    const bool is_read = std::any_of(kept.begin(), kept.end(), [&file](const std::string& input) {
      std::error_code ec;
      return fs::equivalent(input, file, ec);
    });
    if (!is_read && fs::is_regular_file(file, missing)) fs::remove(file, missing);
  }
}

void RunOutputs::finish(run::RunSession& session) {
  if (!writes()) return;
  remove_files_of_earlier_run(session);
  ConfigNode result = output::make_result(session, parameters_.folder);
  ConfigNode names;
  names.kind = ConfigNode::Kind::array;
  for (const std::string& file : files(session))
    names.items.push_back(
        ConfigNode::make_string(std::filesystem::path(file).lexically_relative(parameters_.folder).string()));
  result.members.emplace_back("files", std::move(names));
  run::write_text(path("result.json"), to_json(result));
  run::write_text(path("stats.csv"), output::make_stats_csv(session));
  if (session.energy()) run::write_text(path("energy.csv"), output::make_energy_csv(session));
  if (timeline_ && intervals_) add_counters();
  const bool adds = addition_.text && !session.result().interrupted;
  if (adds) run::write_text(path(addition_.file), addition_.text(result));
  if (parameters_.report)
    run::write_text(path("report.html"),
                    output::make_run_report(session, intervals_.get(), timeline_.get(), profiler_.get(),
                                            [&](output::HtmlPage& page) {
                                              if (adds) addition_.sections(page, result);
                                            }));
  if (session.parameters().watch.interval_cycles == 0 || !parameters_.intervals) intervals_.reset();
  write_observations();
  if (!session.printed().calls.empty()) run::write_text(path("printf.txt"), session.printed().text());
  if (parameters_.npy)
    for (const launch::BufferView& buffer : session.outputs())
      write_buffer(buffer, path(buffer.name + ".npy"));
}

// What the intervals tell, as counters of the timeline.
void RunOutputs::add_counters() {
  for (const output::IntervalSample& sample : intervals_->samples()) {
    timeline_->counter("IPC", sample.begin, sample.ipc);
    timeline_->counter("resident warps", sample.begin, sample.resident_warps);
    timeline_->counter("active warps", sample.begin, sample.active_warps);
    if (!sample.power_mw.empty()) timeline_->counter("power, mW", sample.begin, sample.all_power_mw());
  }
}

void RunOutputs::write_observations() {
  if (waves_) {
    waves_->finish();
    output::write_gtkwave(parameters_.folder, parameters_.vcd.file, *waves_, stall_reasons_);
  }
  if (profiler_ && parameters_.profile) {
    run::write_text(path("profile.txt"), output::make_profile_text(profiler_->profiles()));
    run::write_text(path("profile.csv"), output::make_profile_csv(profiler_->profiles()));
  }
  if (timeline_ && parameters_.timeline) run::write_text(path("timeline.json"), timeline_->make_json());
  if (intervals_) run::write_text(path("intervals.csv"), intervals_->make_csv());
  if (!analyses_) return;
  run::write_text(path("analysis.csv"), analyses_->csv());
  run::write_text(path("analysis.md"), analyses_->markdown());
}

}  // namespace heddle
