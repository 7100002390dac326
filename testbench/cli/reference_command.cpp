// heddle reference: runs a launch file on the untimed reference.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
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
  std::string check = "off";
  MatrixUnitParameters matrix;
  std::uint64_t check_limit = run::WatchParameters{}.check_limit;
};

void print(const reference::Checks& checks) {
  if (!checks.any()) return;
  for (const std::string& line : checks.report()) fmt::print("{}\n", line);
}

int run_reference(const ReferenceCommandOptions& options) {
  reference::Checks checks(reference::read_check_kinds("--check", options.check, {"off"}),
                           options.check_limit);
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
  limits.matrix = options.matrix.rules();
  checks.observe(limits);
  launch::ReferenceExecutor executor(limits);
  output::ProgressLine progress(true);
  progress.say("reference run of " + options.launch);
  try {
    run.run(executor);
  } catch (const Error&) {  // print what the checks found: it may explain the error
    progress.clear();
    print(checks);
    throw;
  }
  progress.clear();
  const auto& total = executor.total();
  fmt::print("{}", run.printed().text());
  fmt::print("{} launches, {} CTAs, {} warp-instructions, {} thread-instructions\n", executor.launches(),
             total.ctas, total.warp_instructions, total.thread_instructions);
  for (const std::string& warning : run.warnings()) fmt::print("warning: {}\n", warning);
  print(checks);
  const int status = checks.findings().total() == 0 ? kSuccess : kDifferent;
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
  app.add_option(
      "--check", options->check,
      "off, or checks joined by commas (exit status 3 if one finds something): memory, init, races, "
      "sync, atomics, warps; strict: all of them (docs/reference.md)");
  app.add_option("--matrix-generation", options->matrix.generation,
                 "GPU generation by which matrix instructions round: volta, turing, ampere, ada, hopper")
      ->check(CLI::IsMember({"volta", "turing", "ampere", "ada", "hopper"}));
  app.add_option("--check-limit", options->check_limit, "most findings that are printed");
  return [options] { return run_reference(*options); };
}

}  // namespace heddle::cli
