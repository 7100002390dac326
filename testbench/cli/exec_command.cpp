// heddle exec: runs an unchanged CUDA program. The program's launches are simulated in the program's own
// process.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/option_values.h"
#include "testbench/cli/page_head.h"
#include "testbench/cli/variants.h"
#include "testbench/comparison/comparison_text.h"
#include "testbench/output/terminal_text.h"
#include "testbench/program/capture_folder.h"
#include "testbench/program/launch_selection.h"
#include "testbench/program/process.h"
#include "testbench/program/results.h"
#include "testbench/run/data_files.h"
#include "testbench/run/memory_size.h"
#include "testbench/run/reference_options.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ExecOptions {
  std::shared_ptr<OptionValues> shared;
  std::vector<std::string> command;
  std::string capture, capture_launches;
  std::uint64_t memory_mib = program::ExecParameters{}.memory_mib;
  std::string fail_on = "difference";
  bool lenient = false, progress = false;
};

std::string absolute(const std::string& path) {
  return path.empty() ? path : fs::absolute(path).lexically_normal().string();
}

void check_estimate(const program::ExecParameters& parameters) {
  if (!parameters.run.watch.checks.empty())
    throw Error("--estimate", "checks of the reference, which executes no estimated launch as a whole",
                "--estimate or checks");
  if (!parameters.timed()) throw Error("--estimate", "nothing is timed without a GPU", "add --gpu PRESET");
  const run::SampleParameters& sample = parameters.run.watch.sample;
  if (sample.ctas || !sample.launches.empty())
    throw Error("estimate.enabled", "a sample of CTAs or launches is chosen, too",
                "an estimate, which chooses what is timed, or watch.sample");
}

void check_selection(const std::string& text, const char* option, const run::RunParameters& parameters) {
  const program::LaunchSelection selection(text, option);
  if (selection.selects_representatives() && parameters.estimate.enabled)
    throw Error(option, "representatives with --estimate, which chooses its own",
                "representatives or --estimate");
}

program::ExecParameters parameters_of(const ExecOptions& options) {
  program::ExecParameters parameters;
  parameters.run = run::read_scenario(options.shared->request());
  if (parameters.run.cosim.on())
    throw Error("cosim.mode", "co-simulation of a program", "off; heddle run --launch of a captured launch");
  options.shared->check_outputs(parameters.run.output);
  const std::string& launches = options.shared->text("--launches");
  if (!parameters.timed() && !launches.empty())
    throw Error("--launches", "nothing is timed without a GPU", "add --gpu PRESET");
  if (options.capture.empty() && !options.capture_launches.empty())
    throw Error("--capture-launches", "nothing is captured", "add --capture FOLDER");
  check_selection(launches, "--launches", parameters.run);
  check_selection(options.capture_launches, "--capture-launches", parameters.run);
  parameters.launches = launches;
  parameters.capture = absolute(options.capture);
  parameters.capture_launches = options.capture_launches;
  parameters.lenient = options.lenient;
  parameters.memory_mib = options.memory_mib;
  if (parameters.memory_mib == 0) throw Error("--memory-mib", "no memory", "1 and more");
  if (parameters.run.output.vcd.enabled) {
    if (!parameters.timed()) throw Error("--vcd", "no waveform without a GPU", "add --gpu PRESET");
    parameters.waves = absolute(parameters.run.output.folder) + "/waves";
  }
  if (parameters.run.estimate.enabled) check_estimate(parameters);
  if (parameters.lenient && run::check_kinds(parameters.run.watch).any())
    throw Error("--lenient", "reads outside of allocations are allowed and checked", "--lenient or checks");
  parameters.program = fs::read_symlink("/proc/self/exe").string();
  return parameters;
}

int status_of(const program::ProgramEnd& end, const std::string& fail_on) {
  if (end.interrupted) return kInterrupted;
  const auto any = [&end](auto is) { return std::any_of(end.launches.begin(), end.launches.end(), is); };
  using Row = program::LaunchRow;
  if (fail_on != "none" &&
      any([](const Row& row) { return row.findings != 0 || (row.checked && !row.equal); }))
    return kDifferent;
  if (fail_on == "launch" && any([](const Row& row) { return !row.error.empty(); })) return kLaunchFailed;
  return end.signal ? 128 + end.signal : end.status;
}

program::ProgramProgress progress_of(const ExecOptions& options, const std::string& name) {
  if (!options.progress) return {};
  return [name](std::uint64_t launches, const program::LaunchRow& last) {
    fmt::print(stderr, "heddle: {}{} launches, the last {} ({})\n", name, launches, last.kernel,
               last.timed ? fmt::format("{} cycles", last.cycles) : "untimed");
  };
}

/// Keeps the position in the file from which standard input reads. The second run of the program begins at
/// the same position, so that both runs read the same input.
class InputPlace {
 public:
  InputPlace() : at_(::lseek(STDIN_FILENO, 0, SEEK_CUR)) {}
  void go_back() const {
    if (at_ >= 0) ::lseek(STDIN_FILENO, at_, SEEK_SET);
  }

 private:
  off_t at_;
};

Variant read_other(const ExecOptions& options, program::ExecParameters& parameters) {
  if (!parameters.timed()) throw Error("--against", "nothing is timed without a GPU", "add --gpu PRESET");
  Variant other = read_against(options.shared->texts("--against"), options.shared->request(), parameters.run);
  if (other.stored) parameters.run.read_from.push_back(other.stored->file);
  return other;
}

/// Returns the run with which the first run is compared: a stored run, or a second run of the program, whose
/// output is discarded. Returns nothing if a signal has ended the second run.
std::optional<comparison::ComparedRun> other_run(const Variant& variant, const ExecOptions& options,
                                                 const program::ExecParameters& parameters) {
  if (variant.stored) return variant.stored;
  const std::string where = "--against " + variant.name;
  program::ExecParameters other = parameters;
  other.run = variant.parameters;
  other.capture.clear();
  const std::string& folder = other.run.output.folder;
  if (!other.waves.empty()) other.waves = absolute(folder) + "/waves";
  program::ProgramResults results(other, options.command);
  const InputPlace input;
  const program::ProgramEnd end =
      program::run_program(options.command, other, progress_of(options, variant.name + ": "), true);
  input.go_back();
  results.write(end);
  if (end.interrupted) return std::nullopt;
  if (!end.has_timed())
    throw Error(
        where,
        "no launch of that run was timed" + (end.unusual_end().empty() ? "" : ": " + end.unusual_end()),
        "a program whose launches are timed");
  comparison::ComparedRun made = comparison::compared_run(variant.name, results.tree(end), folder, where);
  made.notes.insert(made.notes.end(), variant.notes.begin(), variant.notes.end());
  return made;
}

int run_exec(const ExecOptions& options) {
  if (options.command.empty())
    throw Error("command line", "no program is named", "heddle exec [options] -- ./program arguments");
  program::ExecParameters parameters = parameters_of(options);
  program::CaptureFolder capture(parameters.capture);
  const OptionValues& shared = *options.shared;
  std::optional<Variant> variant;
  if (shared.given("--against")) variant = read_other(options, parameters);
  const std::string& folder = parameters.run.output.folder;
  program::ProgramResults results(parameters, options.command);
  results.explain_by([](const ConfigNode& result) { return why_text_of(result, {}); });
  comparison::Runs others;
  const auto with_this = [&](const ConfigNode& result) {
    const std::string name = name_of_run(parameters.run);
    comparison::Runs both = others;
    both.push_back(comparison::compared_run(name, result, folder, name));
    return both;
  };
  if (variant) {
    results.add({"comparison.json",
                 [&](const ConfigNode& result) {
                   return to_json(comparison::comparison_json(with_this(result), folder));
                 },
                 [&](output::HtmlPage& page, const ConfigNode& result) {
                   comparison::add_comparison(page, with_this(result));
                 }});
    const std::optional<comparison::ComparedRun> other = other_run(*variant, options, parameters);
    if (!other) return kInterrupted;
    others = {*other};
  }
  if (const std::string warning = run::memory_size_warning(parameters.run.gpu);
      !warning.empty() && parameters.timed() && !shared.given("--quiet"))
    fmt::print(stderr, "warning: {}\n", warning);
  const program::ProgramEnd end = program::run_program(options.command, parameters, progress_of(options, ""));
  results.write(end);
  capture.finish(end);
  const bool compares = variant && end.has_timed();
  const ConfigNode result = results.tree(end);
  if (shared.given("--json"))
    fmt::print("{}", to_json(compares ? comparison::comparison_json(with_this(result), folder) : result));
  else if (!shared.given("--quiet"))
    output::print_wrapped(results.summary(end));
  if (compares && !shared.given("--json") && !shared.given("--quiet"))
    output::print_wrapped("\n" + comparison::comparison_text(with_this(result), comparison::Detail::brief));
  const std::string unusual = end.unusual_end();
  if (!unusual.empty()) fmt::print(stderr, "heddle: {}: {}\n", options.command.front(), unusual);
  const int status = status_of(end, options.fail_on);
  if (status != kSuccess || !compares || comparison::all_equal(others)) return status;
  fmt::print(stderr, "error: --against {}: outputs differ from the untimed reference\n", variant->name);
  return kDifferent;
}

}  // namespace

Action add_exec(CLI::App& app) {
  auto options = std::make_shared<ExecOptions>();
  app.add_option("program", options->command,
                 "after --: the program, built with nvcc -cudart shared, and its arguments")
      ->option_text("-- PROGRAM [ARGUMENT ...]");
  options->shared = add_shared_options(app, Command::exec);
  app.add_option("--capture", options->capture,
                 "folder for captured launches, which heddle run --launch repeats");
  app.add_option("--capture-launches", options->capture_launches,
                 "capture only these launches (as --launches)");
  app.add_flag("--lenient", options->lenient,
               "reads just outside of an allocation return its padding, and are counted");
  app.add_option("--memory-mib", options->memory_mib, "device memory in MiB");
  app.add_option(
         "--fail-on", options->fail_on,
         "exit status beside the program's own: difference (3), launch (3, or 4 for a failed launch), none")
      ->check(CLI::IsMember({"difference", "launch", "none"}));
  app.add_flag("--progress", options->progress,
               "print a line about every half second: the number of launches so far, and the last one");
  return [options] { return run_exec(*options); };
}

}  // namespace heddle::cli
