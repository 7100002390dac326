#include "testbench/output/run_outputs.h"

#include <unistd.h>

#include <filesystem>

#include "models/core/error.h"
#include "testbench/analysis/analysis_set.h"
#include "testbench/launch/npy.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/gtkwave.h"
#include "testbench/output/intervals.h"
#include "testbench/output/profile.h"
#include "testbench/output/result_file.h"
#include "testbench/output/timeline.h"
#include "testbench/output/waves.h"

namespace heddle {

RunOutputs::RunOutputs(const OutputParameters& parameters) : parameters_(parameters) {
  if (!writes()) return;
  std::error_code ec;
  std::filesystem::create_directories(parameters_.folder, ec);
  if (ec) throw Error(parameters_.folder, "cannot make the output folder: " + ec.message());
  if (::access(parameters_.folder.c_str(), W_OK) != 0)
    throw Error(parameters_.folder, "the output folder cannot be written to");
}

RunOutputs::~RunOutputs() = default;

void RunOutputs::attach(Gpu& gpu, StatsRegistry& stats, const power::EnergyAccount* energy,
                        const run::CoSimulation* co_simulation) {
  if (!parameters_.analyses.empty())
    analyses_ = std::make_unique<analysis::AnalysisSet>(parameters_.analyses, gpu);
  if (!writes()) return;
  if (parameters_.vcd.enabled)
    waves_ = std::make_unique<output::WaveRecorder>(parameters_.vcd, path(parameters_.vcd.file), gpu,
                                                    co_simulation);
  if (parameters_.profile) profiler_ = std::make_unique<output::Profiler>(gpu);
  if (parameters_.timeline)
    timeline_ = std::make_unique<output::TimelineRecorder>(parameters_.timeline_limits, gpu);
  if (parameters_.intervals) intervals_ = std::make_unique<output::IntervalRecorder>(stats, energy);
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

void RunOutputs::finish(run::RunSession& session) {
  if (!writes()) return;
  output::write_text(path("result.json"), to_json(output::make_result(session, parameters_.folder)));
  output::write_text(path("stats.csv"), output::make_stats_csv(session));
  if (session.energy()) output::write_text(path("energy.csv"), output::make_energy_csv(session));
  if (session.parameters().watch.interval_cycles == 0) intervals_.reset();
  write_observations();
  if (parameters_.npy)
    for (const launch::BufferView& buffer : session.outputs())
      launch::write_npy(path(buffer.name + ".npy"), buffer.type, buffer.data);
}

void RunOutputs::write_observations() {
  if (waves_) {
    waves_->finish();
    output::write_gtkwave(parameters_.folder, parameters_.vcd.file, *waves_);
  }
  if (profiler_) {
    output::write_text(path("profile.txt"), output::make_profile_text(profiler_->profiles()));
    output::write_text(path("profile.csv"), output::make_profile_csv(profiler_->profiles()));
  }
  if (timeline_) output::write_text(path("timeline.json"), timeline_->make_json());
  if (intervals_) output::write_text(path("intervals.csv"), intervals_->make_csv());
  if (!analyses_) return;
  output::write_text(path("analysis.csv"), analyses_->csv());
  output::write_text(path("analysis.md"), analyses_->markdown());
}

}  // namespace heddle
