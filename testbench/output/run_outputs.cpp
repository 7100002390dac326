#include "testbench/output/run_outputs.h"

#include <fmt/format.h>

#include <map>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "models/sm/issue_stage.h"
#include "testbench/analysis/analysis_set.h"
#include "testbench/launch/npy.h"
#include "testbench/output/compressed_file.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/gtkwave.h"
#include "testbench/output/html_page.h"
#include "testbench/output/intervals.h"
#include "testbench/output/kanata.h"
#include "testbench/output/markdown.h"
#include "testbench/output/pipeline.h"
#include "testbench/output/profile.h"
#include "testbench/output/result_file.h"
#include "testbench/output/roofline.h"
#include "testbench/output/run_report.h"
#include "testbench/output/surfer.h"
#include "testbench/output/timeline.h"
#include "testbench/output/waves.h"

namespace heddle {
namespace {

std::string what_it_is(const std::string& name) {
  static const std::map<std::string, std::string> known = {
      {"result.json", "the whole result, and the configuration that heddle rerun takes"},
      {"stats.csv", "every counter"},
      {"energy.csv", "energy by structure and kind"},
      {"intervals.csv", "counters over time"},
      {"timeline.json", "for ui.perfetto.dev or chrome://tracing"},
      {"timeline.pftrace", "for ui.perfetto.dev"},
      {"profile.txt", "issues, waits and conflicts next to the listing"},
      {"profile.csv", "the same as a table"},
      {"profile_rest.csv", "the energy that no instruction has caused"},
      {"roofline.csv", "thread operations a cycle of each launch, and their limits"},
      {"analysis.csv", "what the program does, as a table"},
      {"analysis.md", "what the program does"},
      {"printf.txt", "what the kernels printed"}};
  if (const auto it = known.find(name); it != known.end()) return it->second;
  if (name.ends_with(".npy")) return "an output buffer, for numpy.load";
  if (name.ends_with(".vcd")) return "the waveform";
  if (name.ends_with(".gtkw")) return "opens the waveform in GTKWave";
  if (name.ends_with(".sucl")) return "opens the waveform in Surfer";
  return "another file of the run";
}

}  // namespace

RunOutputs::RunOutputs(const OutputParameters& parameters, bool printed)
    : parameters_(parameters), unnamed_(nullptr, &std::fclose), printed_(printed) {
  output::check_profile_columns(parameters_.profile_columns);
  if (!parameters_.folder.empty()) folder_ = std::make_unique<run::OutFolder>(parameters_.folder);
}

// Throws Error if the log of the pipeline would replace an input or another file of the run.
void RunOutputs::check_pipeline(const std::vector<std::string>& written,
                                const std::vector<std::string>& inputs) const {
  const std::string& file = parameters_.pipeline.file;
  if (file.empty()) return;
  require_file(file);
  launch::check_overwrites_no_input({file}, inputs, "--pipeline");
  std::error_code ec;
  const auto place = [&ec](const std::string& path) { return std::filesystem::weakly_canonical(path, ec); };
  for (const std::string& name : written)
    if (place(folder_->path_of(name)) == place(file))
      throw Error("--pipeline", fmt::format("{} is another output of the run", file), "another name");
}

RunOutputs::~RunOutputs() {
  if (!waves_ || !folder_ || finished_) return;
  try {
    waves_->finish();
    folder_->keep_only(parameters_.vcd.file);
    folder_->commit();
    // Ignore this error. It follows from an error of the run, and that error has been reported.
  } catch (const std::exception&) {
  }
}

std::vector<std::string> RunOutputs::files(const run::RunSession& session) const {
  std::vector<std::string> names = {"result.json", "stats.csv", "energy.csv", "printf.txt"};
  const auto add = [&names](bool written, std::initializer_list<const char*> more) {
    if (written) names.insert(names.end(), more.begin(), more.end());
  };
  add(parameters_.profile, {"profile.txt", "profile.csv", "profile_rest.csv"});
  if (parameters_.timeline) names.push_back(parameters_.timeline_file());
  add(parameters_.report, {"report.html"});
  add(parameters_.report || parameters_.profile, {"roofline.csv"});
  add(parameters_.intervals && session.parameters().watch.interval_cycles, {"intervals.csv"});
  add(!parameters_.analyses.empty(), {"analysis.csv", "analysis.md"});
  if (parameters_.vcd.enabled) {
    run::OutFolder::check_name(parameters_.vcd.file, "output.vcd.file");
    names.push_back(parameters_.vcd.file);
    for (const std::string& name : output::gtkwave_files(parameters_.vcd.file)) names.push_back(name);
    names.push_back(output::surfer_file(parameters_.vcd.file));
  }
  if (addition_.text) names.push_back(addition_.file);
  if (parameters_.npy)
    for (const launch::OutputSpec& output : session.launch_file().outputs)
      names.push_back(output.buffer + ".npy");
  return names;
}

void RunOutputs::check_files(const run::RunSession& session) {
  std::vector<std::string> inputs = session.parameters().read_from;
  for (const run::InputFile& input : session.inputs()) inputs.push_back(input.path);
  const std::vector<std::string> written = folder_ ? files(session) : std::vector<std::string>{};
  check_pipeline(written, inputs);
  if (!folder_) return;
  for (auto file = written.begin(); file != written.end(); ++file)
    if (std::find(written.begin(), file, *file) != file)
      throw Error("output.vcd.file", "two outputs of the run would be " + folder_->path_of(*file),
                  "another name");
  folder_->expect(written, inputs, "output.folder");
}

void RunOutputs::attach(run::RunSession& session) {
  observe(session.gpu(), session.stats(), session.energy(), session.co_simulation(),
          session.parameters().watch.interval_cycles);
  begin_result(session);
}

void RunOutputs::observe(Gpu& gpu, StatsRegistry& stats, const power::EnergyAccount* energy,
                         const run::CoSimulation* co_simulation, Cycle interval_cycles) {
  gpu_ = &gpu;
  if (!parameters_.pipeline.file.empty()) {
    launch::remove_left_over(parameters_.pipeline.file);
    pipeline_file_ = std::make_unique<output::CompressedFile>(parameters_.pipeline.file);
    pipeline_ = std::make_unique<output::PipelineRecorder>(parameters_.pipeline, gpu);
  }
  if (!parameters_.analyses.empty())
    analyses_ = std::make_unique<analysis::AnalysisSet>(parameters_.analyses, gpu);
  if (!folder_) {
    if (parameters_.profile) profiler_ = std::make_unique<output::Profiler>(gpu, energy, stats);
    return;
  }
  if (parameters_.vcd.enabled)
    waves_ = std::make_unique<output::WaveRecorder>(parameters_.vcd, folder_->add(parameters_.vcd.file), gpu,
                                                    co_simulation);
  stall_reasons_ = gpu.sm(0).issue().schedulers().stall_reasons();
  if (parameters_.profile || parameters_.report)
    profiler_ = std::make_unique<output::Profiler>(gpu, energy, stats);
  if (parameters_.timeline || parameters_.report)
    timeline_ = std::make_unique<output::TimelineRecorder>(parameters_.timeline_limits, gpu,
                                                           parameters_.report || !perfetto());
  if (parameters_.timeline && perfetto()) {
    const TimelineParameters& limits = parameters_.timeline_limits;
    const PipelineParameters instructions{"", {}, limits.from_cycle, limits.to_cycle, limits.max_slices};
    timeline_instructions_ =
        std::make_unique<output::PipelineRecorder>(instructions, gpu, output::PipelineDetail::issue);
  }
  launch::NewFile* rows = nullptr;
  if (parameters_.intervals && interval_cycles) rows = &folder_->add_table("intervals.csv");
  if (rows || parameters_.over_time())
    intervals_ = std::make_unique<output::IntervalRecorder>(stats, rows, energy, parameters_.over_time(),
                                                            parameters_.interval_counters);
}

void RunOutputs::begin_result(run::RunSession& session) {
  if (folder_) {
    launch::NewFile& file = folder_->add("result.json");
    result_ = std::make_unique<output::ResultWriter>(session, parameters_.folder,
                                                     [&file](std::string_view text) { file.write(text); });
  } else if (printed_) {
    unnamed_.reset(std::tmpfile());
    if (!unnamed_)
      throw Error("--json", fmt::format("cannot make a temporary file: {}", std::strerror(errno)),
                  "a folder that can be written to, in TMPDIR or /tmp");
    result_ = std::make_unique<output::ResultWriter>(session, "", [this](std::string_view text) {
      std::fwrite(text.data(), 1, text.size(), unnamed_.get());
    });
  }
}

void RunOutputs::launch_begins(const isa::KernelLaunch& launch) {
  if (profiler_) profiler_->launch_begins(launch);
  if (waves_) waves_->launch_begins(launch);
  if (intervals_) intervals_->launch_begins(launch);
}

void RunOutputs::launch_ended(const run::LaunchRecord& record) {
  if (profiler_) profiler_->launch_ended(record);
  if (timeline_) timeline_->launch_ended(record);
  if (intervals_) intervals_->launch_ended(record);
  if (result_) result_->launch_ended(record);
}

void RunOutputs::interval(Cycle cycle) {
  if (intervals_) intervals_->interval(gpu_->dispatcher().begin_cycle(), cycle);
}

ConfigNode RunOutputs::analyses() const { return analyses_ ? analyses_->tree() : ConfigNode::make_object(); }

const std::vector<output::ProgramProfile>& RunOutputs::profiles() const {
  static const std::vector<output::ProgramProfile> none;
  return profiler_ ? profiler_->profiles() : none;
}

void RunOutputs::finish(run::RunSession& session) {
  finished_ = true;
  if (profiler_) profiler_->finish();
  output::CountersByName order;
  if (folder_ || result_) order = output::counters_by_name(session.stats());
  if (folder_) write_files(session, order);
  if (result_) result_->end(folder_.get(), order);
  if (folder_) folder_->commit();
  if (pipeline_) write_pipeline();
}

void RunOutputs::write_pipeline() {
  const output::PipelineLog log = pipeline_->take();
  output::write_kanata(log, [this](std::string_view text) { pipeline_file_->write(text); });
  pipeline_file_->commit();
  pipeline_note_ =
      fmt::format("pipeline of {} instructions in {}", log.instructions.size(), pipeline_file_->path());
  if (log.stops_at != kNever)
    pipeline_note_ += fmt::format(
        ", which stops before the instructions from cycle {} on (output.pipeline.max_instructions)",
        log.stops_at);
}

void RunOutputs::write_files(run::RunSession& session, const output::CountersByName& order) {
  folder_->add_table("stats.csv").write(output::make_stats_csv(session, order));
  if (session.energy()) folder_->write("energy.csv", output::make_energy_csv(session));
  if (timeline_ && intervals_) add_counters();
  const bool ended = !session.result().interrupted;
  const bool adds = addition_.text && ended, explains = explain_ && parameters_.report && ended;
  const bool has_roofline = (parameters_.report || parameters_.profile) && ended;
  ConfigNode result;
  if (adds || explains || has_roofline) result = output::make_result(session, parameters_.folder);
  if (adds) folder_->write(addition_.file, addition_.text(result));
  std::vector<output::RooflinePoint> roofline;
  if (has_roofline) {
    roofline = output::roofline_of(result);
    folder_->write("roofline.csv", output::make_roofline_csv(roofline));
  }
  write_observations();
  if (!session.printed().calls.empty()) folder_->write("printf.txt", session.printed().text());
  if (parameters_.npy)
    for (const launch::BufferView& buffer : session.outputs()) {
      launch::NewFile& file = folder_->add(buffer.name + ".npy");
      launch::write_npy([&file](std::string_view bytes) { file.write(bytes); }, buffer.type, buffer.data);
    }
  if (!parameters_.report) return;
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string& name : folder_->names()) files.emplace_back(name, what_it_is(name));
  std::string why;
  if (explains) why = explain_(result, output::make_profile_csv(profiler_->profiles()));
  folder_->write("report.html",
                 output::make_run_report(session, {intervals_.get(), timeline_.get(), profiler_.get(), why},
                                         files, [&](output::HtmlPage& page) {
                                           if (adds) addition_.sections(page, result);
                                           output::add_roofline(page, roofline);
                                         }));
}

void RunOutputs::print_result(std::FILE* to) const {
  std::FILE* from = unnamed_.get();
  File opened(nullptr, &std::fclose);
  if (folder_) {
    opened.reset(std::fopen(folder_->path_of("result.json").c_str(), "rb"));
    from = opened.get();
  }
  if (!from || std::fflush(from) != 0 || std::ferror(from) || std::fseek(from, 0, SEEK_SET) != 0)
    throw Error("--json", fmt::format("the result could not be kept: {}", std::strerror(errno)));
  std::array<char, 65536> bytes;
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), from))
    // Ignore a failed write here: it is reported at the end of the program.
    if (std::fwrite(bytes.data(), 1, count, to) != count) return;
}

// Adds counter tracks to the timeline, with the values of each interval.
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
    output::write_gtkwave(*folder_, parameters_.vcd.file, *waves_, stall_reasons_);
    output::write_surfer(*folder_, parameters_.vcd.file, *waves_);
  }
  if (profiler_ && parameters_.profile) {
    folder_->write("profile.txt",
                   output::make_profile_text(profiler_->profiles(), parameters_.profile_columns));
    folder_->add_table("profile.csv").write(output::make_profile_csv(profiler_->profiles()));
    if (const std::string rest = output::make_profile_rest_csv(profiler_->profiles()); !rest.empty())
      folder_->write("profile_rest.csv", rest);
  }
  if (timeline_ && parameters_.timeline)
    folder_->write(parameters_.timeline_file(), perfetto()
                                                    ? timeline_->make_perfetto(timeline_instructions_->take())
                                                    : timeline_->make_json());
  if (!analyses_) return;
  folder_->write("analysis.csv", analyses_->csv());
  folder_->write("analysis.md", output::harmless_markdown(analyses_->markdown()));
}

}  // namespace heddle
