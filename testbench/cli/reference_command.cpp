// heddle reference: runs a launch file untimed.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "models/core/error.h"
#include "models/reference/checks.h"
#include "testbench/cli/commands.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/npy.h"
#include "testbench/launch/program_provider.h"
#include "testbench/launch/reference_executor.h"
#include "testbench/output/progress_line.h"
#include "testbench/run/data_files.h"
#include "testbench/run/inputs.h"
#include "testbench/run/out_folder.h"
#include "testbench/run/run_parameters.h"

namespace heddle::cli {
namespace {

struct ReferenceCommandOptions {
  std::string launch, out;
  std::uint64_t max_instructions = 0;
  std::uint64_t endless_steps = run::WatchParameters{}.endless_steps;
  std::vector<std::string> checks{"off"};

  bool checks_for(const char* what) const {
    return std::find(checks.begin(), checks.end(), what) != checks.end();
  }
};

int run_reference(const ReferenceCommandOptions& options) {
  std::unique_ptr<run::OutFolder> folder;
  if (!options.out.empty()) folder = std::make_unique<run::OutFolder>(options.out);
  const launch::LaunchFile file = launch::read_launch_file(run::find_launch(options.launch));
  std::vector<std::string> inputs, written;
  for (const run::InputFile& input : run::hash_inputs(file, {})) inputs.push_back(input.path);
  for (const launch::OutputSpec& output : file.outputs) written.push_back(output.buffer + ".npy");
  if (folder) folder->expect(written, inputs, "--out");
  launch::PtxPrograms programs(file);
  programs.keep_calls();
  MemoryImage memory;
  launch::LaunchRun run(file, programs, memory);
  run.prepare();
  reference::ReferenceOptions limits;
  limits.max_warp_instructions = options.max_instructions;
  limits.endless_after = options.endless_steps;
  reference::Checks races({.races = options.checks_for("races"),
                           .strict = options.checks_for("strict"),
                           .atomic_order = options.checks_for("atomics"),
                           .warps = options.checks_for("warps")});
  if (races.any()) limits.observer = &races;
  launch::ReferenceExecutor executor(limits);
  output::ProgressLine progress(true);
  progress.say("reference run of " + options.launch);
  run.run(executor);
  progress.clear();
  const auto& total = executor.total();
  fmt::print("{}", run.printed().text());
  fmt::print("{} launches, {} CTAs, {} warp-instructions, {} thread-instructions\n", executor.launches(),
             total.ctas, total.warp_instructions, total.thread_instructions);
  for (const std::string& warning : run.warnings()) fmt::print("warning: {}\n", warning);
  for (const std::string& finding : races.findings()) fmt::print("race: {}\n", finding);
  if (races.further()) fmt::print("race: and {} more\n", races.further());
  if (races.any() && races.findings().empty()) fmt::print("no races found\n");
  const int status = races.findings().empty() ? kSuccess : kDifferent;
  if (!folder) return status;
  for (const launch::BufferView& buffer : run.outputs()) {
    launch::NewFile& to = folder->add(buffer.name + ".npy");
    launch::write_npy([&to](std::string_view bytes) { to.write(bytes); }, buffer.type, buffer.data);
  }
  folder->commit();
  fmt::print("outputs in {}\n", options.out);
  return status;
}

}  // namespace

Action add_reference(CLI::App& app) {
  auto options = std::make_shared<ReferenceCommandOptions>();
  app.add_option("launch", options->launch, "launch file")->required();
  app.add_option("--out", options->out, "folder for the outputs, as .npy files");
  app.add_option("--max-instructions", options->max_instructions,
                 "a launch that takes more warp-instructions is an error (0: no limit)");
  app.add_option("--endless-steps", options->endless_steps,
                 "warp-instructions without a change of memory or the end of a thread after which the launch "
                 "is an error (0: no limit)");
  app.add_option("--check", options->checks,
                 "checks, separated by commas (exit status 3 if something is found). races: words that warps "
                 "share without a barrier between accesses; strict: also registers read before they are "
                 "written, barriers that only a part of a warp reaches, and words that CTAs share; atomics: "
                 "atomics whose order determines the result; warps: words that lanes of one warp share "
                 "without bar.warp.sync, or write with different values")
      ->delimiter(',')
      ->check(CLI::IsMember({"off", "races", "strict", "atomics", "warps"}));
  return [options] { return run_reference(*options); };
}

}  // namespace heddle::cli
