#include "testbench/output/run_outputs.h"

#include <unistd.h>

#include <filesystem>

#include "models/core/error.h"
#include "testbench/launch/npy.h"
#include "testbench/output/result_file.h"

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

void RunOutputs::attach(Gpu&, StatsRegistry&) {}
void RunOutputs::launch_begins(const isa::KernelLaunch&) {}
void RunOutputs::launch_ended(const run::LaunchRecord&) {}
void RunOutputs::interval(Cycle) {}

void RunOutputs::finish(run::RunSession& session) {
  if (!writes()) return;
  output::write_text(path("result.json"), to_json(output::make_result(session, parameters_.folder)));
  output::write_text(path("stats.csv"), output::make_stats_csv(session));
  if (parameters_.npy)
    for (const launch::BufferView& buffer : session.outputs())
      launch::write_npy(path(buffer.name + ".npy"), buffer.type, buffer.data);
}

}  // namespace heddle
