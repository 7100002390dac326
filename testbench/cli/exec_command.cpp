// heddle exec: a CUDA program as it is, its launches run by the model in the program's own process.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/option_values.h"
#include "testbench/cli/variants.h"
#include "testbench/comparison/comparison_text.h"
#include "testbench/program/launch_selection.h"
#include "testbench/program/process.h"
#include "testbench/program/results.h"
#include "testbench/run/data_files.h"
#include "testbench/run/energy_setup.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ExecOptions {
  std::shared_ptr<OptionValues> shared;
  std::vector<std::string> command;
  std::string capture, capture_launches;
  std::uint64_t memory_mib = program::ExecParameters{}.memory_mib;
  bool lenient = false, progress = false;
};

std::string absolute(const std::string& path) {
  return path.empty() ? path : fs::absolute(path).lexically_normal().string();
}

/// What stands there may be another capture's, or nobody's of ours.
void check_capture(const std::string& folder) {
  std::error_code ec;
  if (folder.empty() || !fs::exists(folder, ec)) return;
  if (!fs::is_directory(folder, ec) || !fs::is_empty(folder, ec))
    throw Error("--capture", folder + " is not empty", "a new folder");
}

/// The program's process may look from another folder.
void make_absolute(run::RunParameters& parameters) {
  for (auto* const names : {&parameters.power.technologies, &parameters.power.stand_back})
    for (std::string& name : *names) name = absolute(run::find_technology(name, "power.technologies"));
}

void check_estimate(const program::ExecParameters& parameters) {
  if (!parameters.timed())
    throw Error("--estimate", "nothing is timed without a GPU", "--gpu PRESET beside it");
  const run::SampleParameters& sample = parameters.run.watch.sample;
  if (sample.ctas || !sample.launches.empty())
    throw Error("estimate.enabled", "a sample of CTAs or launches is chosen, too",
                "an estimate, which chooses what is timed, or watch.sample");
}

void check_selection(const std::string& text, const char* option, const run::RunParameters& parameters) {
  const program::LaunchSelection selection(text, option);
  if (selection.asks_for_representatives() && parameters.estimate.enabled)
    throw Error(option, "representatives beside --estimate, which chooses its own",
                "representatives or --estimate");
}

program::ExecParameters parameters_of(const ExecOptions& options) {
  program::ExecParameters parameters;
  parameters.run = run::read_scenario(options.shared->request());
  if (parameters.run.cosim.on())
    throw Error("cosim.mode", "co-simulation of a program", "off; heddle run --launch of a captured launch");
  make_absolute(parameters.run);
  options.shared->check_folder(parameters.run.output.folder);
  const std::string& launches = options.shared->text("--launches");
  if (!parameters.timed() && !launches.empty())
    throw Error("--launches", "nothing is timed without a GPU", "--gpu PRESET beside it");
  if (options.capture.empty() && !options.capture_launches.empty())
    throw Error("--capture-launches", "nothing is captured", "--capture FOLDER beside it");
  check_selection(launches, "--launches", parameters.run);
  check_selection(options.capture_launches, "--capture-launches", parameters.run);
  parameters.launches = launches;
  check_capture(options.capture);
  parameters.capture = absolute(options.capture);
  parameters.capture_launches = options.capture_launches;
  parameters.lenient = options.lenient;
  parameters.memory_mib = options.memory_mib;
  if (parameters.memory_mib == 0) throw Error("--memory-mib", "no memory", "1 and more");
  if (parameters.run.output.vcd.enabled) {
    if (!parameters.timed()) throw Error("--vcd", "no waveform without a GPU", "--gpu PRESET beside it");
    parameters.waves = absolute(parameters.run.output.folder) + "/waves";
  }
  if (parameters.run.estimate.enabled) check_estimate(parameters);
  parameters.program = fs::read_symlink("/proc/self/exe").string();
  return parameters;
}

/// The other run of a program, as it was stored.
comparison::ComparedRun stored_program(const std::vector<std::string>& files,
                                       program::ExecParameters& parameters) {
  const std::string& file = files.front();
  if (files.size() > 1)
    throw Error("--against", fmt::format("{} runs of the program", files.size()), "one program.json");
  if (!parameters.timed())
    throw Error("--against", "nothing is timed without a GPU", "--gpu PRESET beside it");
  if (std::error_code ec; !fs::is_regular_file(file, ec))
    throw Error("--against", "no such file: " + file, "a program.json of heddle exec");
  comparison::ComparedRun run = comparison::read_compared_run(file);
  parameters.run.read_from.push_back(file);
  return run;
}

int status_of(const program::ProgramEnd& end) {
  if (end.interrupted) return kInterrupted;
  if (end.signal) return 128 + end.signal;
  if (end.status) return end.status;
  for (const program::LaunchRow& row : end.launches)
    if (row.checked && !row.equal) return kDifferent;
  return kSuccess;
}

/// A line now and then, where it is asked for: the program's own lines come between.
program::ProgramProgress progress_of(const ExecOptions& options) {
  if (!options.progress) return {};
  return [](std::uint64_t launches, const program::LaunchRow& last) {
    fmt::print(stderr, "heddle: {} launches, the last {} ({})\n", launches, last.kernel,
               last.timed ? fmt::format("{} cycles", last.cycles) : "untimed");
  };
}

int run_exec(const ExecOptions& options) {
  if (options.command.empty())
    throw Error("command line", "no program is named", "heddle exec [options] -- ./program arguments");
  program::ExecParameters parameters = parameters_of(options);
  std::optional<comparison::ComparedRun> against;
  const OptionValues& shared = *options.shared;
  if (shared.given("--against")) against = stored_program(shared.texts("--against"), parameters);
  const std::string& folder = parameters.run.output.folder;
  const auto with_this = [&](const ConfigNode& result) {
    const std::string name = name_of_run(parameters.run);
    return comparison::Runs{*against, comparison::compared_run(name, result, folder, name)};
  };
  program::ProgramResults results(parameters, options.command);
  if (against)
    results.add({"comparison.json",
                 [&](const ConfigNode& result) {
                   return to_json(comparison::comparison_json(with_this(result), folder));
                 },
                 [&](output::HtmlPage& page, const ConfigNode& result) {
                   comparison::add_comparison(page, with_this(result));
                 }});
  const program::ProgramEnd end = program::run_program(options.command, parameters, progress_of(options));
  results.write(end);
  program::write_capture_table(parameters.capture, end);
  const bool compares = against && end.has_timed();
  if (shared.given("--json"))
    fmt::print("{}", to_json(compares ? comparison::comparison_json(with_this(results.tree(end)), folder)
                                      : results.tree(end)));
  else if (!shared.given("--quiet"))
    fmt::print("{}", results.summary(end));
  if (compares && !shared.given("--json") && !shared.given("--quiet"))
    fmt::print("\n{}", comparison::comparison_text(with_this(results.tree(end)), comparison::Detail::brief));
  const std::string said = end.said();
  if (!said.empty()) fmt::print(stderr, "heddle: {}: {}\n", options.command.front(), said);
  return status_of(end);
}

}  // namespace

Action add_exec(CLI::App& app) {
  auto options = std::make_shared<ExecOptions>();
  app.add_option("program", options->command,
                 "after --: the program, built with nvcc -cudart shared, and its arguments")
      ->option_text("-- PROGRAM [ARGUMENT ...]");
  options->shared = add_shared_options(app, Command::exec);
  app.add_option("--capture", options->capture, "folder that takes launches, for heddle run --launch");
  app.add_option("--capture-launches", options->capture_launches,
                 "capture only these launches (as --launches)");
  app.add_flag("--lenient", options->lenient,
               "reads just outside of an allocation give its padding, and are counted");
  app.add_option("--memory-mib", options->memory_mib, "device memory in MiB");
  app.add_flag("--progress", options->progress,
               "a line about every half second: launches so far, the last of them");
  return [options] { return run_exec(*options); };
}

}  // namespace heddle::cli
