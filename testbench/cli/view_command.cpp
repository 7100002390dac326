// heddle view: repeats a stored run, records the activity of one SM in a range of cycles, and writes an HTML
// page that shows this recording.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "models/core/counted.h"
#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/repeated_run.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/progress_line.h"
#include "testbench/output/terminal_text.h"
#include "testbench/pack/contents.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/program/process.h"
#include "testbench/view/view_page.h"
#include "testbench/view/view_recorder.h"

namespace heddle::cli {
namespace {

struct ViewOptions {
  std::string result;
  view::ViewParameters view;
};

// Returns the parameters of the stored run, but without outputs, co-simulation, checks and technologies.
run::RunParameters recorded_parameters(const ConfigNode& result, const std::string& file) {
  run::RunParameters parameters = repeated_parameters(result, file, "");
  parameters.output = {};
  parameters.output.npy = false;
  parameters.cosim = {};
  parameters.watch.check = "off";
  parameters.power.technologies.clear();
  parameters.watch.checks.clear();
  return parameters;
}

view::Recording record(const ConfigNode& result, const std::string& file,
                       const view::ViewParameters& window) {
  check_unchanged(result, file, false);
  const run::RunParameters parameters = recorded_parameters(result, file);
  std::unique_ptr<view::ViewRecorder> recorder;
  std::unique_ptr<run::RunSession> session;
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& gpu) {
    recorder = std::make_unique<view::ViewRecorder>(window, gpu, session->stats());
  };
  hooks.on_launch = [&](const isa::KernelLaunch& launch) { recorder->launch_begins(launch); };
  hooks.on_heartbeat = [&](Cycle) { return recorder->ended(); };
  session = std::make_unique<run::RunSession>(parameters, hooks);
  check_complete(result, *session, file, false);
  std::vector<std::string> inputs = {file};
  for (const run::InputFile& input : session->inputs()) inputs.push_back(input.path);
  launch::check_overwrites_no_input({window.file}, inputs, "--out");
  output::ProgressLine progress(true);
  progress.say("repeats the run");
  session->run();
  if (!recorder) throw Error(file, "the run times no launch", "a result of a timed run");
  view::Recording made = recorder->take();
  if (const ConfigNode* names = result.find("techniques"))
    for (const ConfigNode& name : names->items) made.techniques.push_back(name.text);
  return made;
}

std::string note_of(const view::Recording& recording, const view::ViewParameters& window) {
  std::string note =
      fmt::format("cycles {} to {} of SM {} with {} in {}", recording.from, recording.to, recording.sm,
                  counted(recording.log.instructions.size(), "instruction"), window.file);
  if (recording.cut)
    note += fmt::format(
        "\ncut after cycle {}: the recording has its largest size of {} bytes; --from continues it",
        recording.to, window.max_bytes);
  return note + "\n";
}

// Runs the program of the stored result again, in the current folder. Only the recorded launch is timed.
// Cycles are counted from the beginning of this launch.
int view_program(const ConfigNode& tree, const std::string& file, const ViewOptions& options) {
  for (const char* key : {"command", "configuration"})
    if (const ConfigNode* part = tree.find(key); !part || (part->items.empty() && part->members.empty()))
      throw Error(file, fmt::format("no \"{}\"", key), "a program.json of heddle exec");
  check_unchanged(tree, file, false);
  program::ExecParameters parameters;
  parameters.run = recorded_parameters(tree, file);
  parameters.view = view::checked(options.view, static_cast<std::size_t>(parameters.run.gpu.sms));
  parameters.view.file = std::filesystem::absolute(options.view.file).string();
  parameters.view.launch = 0;
  parameters.launches = std::to_string(options.view.launch);
  parameters.program = std::filesystem::read_symlink("/proc/self/exe").string();
  if (!parameters.timed())
    throw Error(file, "no launch of this program was timed", "a program that ran on a GPU");
  std::vector<std::string> command;
  for (const ConfigNode& word : tree.find("command")->items) command.push_back(word.text);
  std::error_code ignored;
  std::filesystem::remove(options.view.file, ignored);
  const program::ProgramEnd end = program::run_program(command, parameters, {}, true);
  if (end.interrupted) return kInterrupted;
  if (std::filesystem::exists(options.view.file)) {
    fmt::print("launch {} in {}\n", options.view.launch, options.view.file);
    return kSuccess;
  }
  // Print nothing if a launch failed, because the runtime in the program's process has already printed its
  // error.
  for (const program::LaunchRow& row : end.launches)
    if (!row.error.empty()) return kFailure;
  if (!end.unusual_end().empty()) throw Error(command.front(), end.unusual_end());
  throw Error("--launch", fmt::format("there is no launch {}", options.view.launch),
              end.launches.empty() ? "a program that launches kernels"
                                   : fmt::format("0 to {}", end.launches.size() - 1));
}

int view_run(const std::string& file, const ViewOptions& options) {
  launch::NewFile page(options.view.file);
  const view::Recording recording = record(read_result(file), file, options.view);
  page.write(view::make_page(recording));
  page.commit();
  output::print_wrapped(note_of(recording, options.view));
  return kSuccess;
}

int view_pack(const ViewOptions& options) {
  const pack::OpenedPack opened(options.result);
  pack::check_repeatable(opened);
  try {
    return view_run(opened.result(), options);
  } catch (const Error& error) {
    throw Error("", opened.shown(error.what()));
  }
}

int view_result(const ViewOptions& options) {
  if (pack::is_pack(options.result)) return view_pack(options);
  const std::string file = pack::result_file(options.result);
  const ConfigNode tree = parse_config_file(file);
  if (tree.is_object() && tree.find("command")) return view_program(tree, file, options);
  return view_run(file, options);
}

}  // namespace

Action add_view(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  options->view.file = "view.html";
  app.add_option("result", options->result,
                 "result.json, program.json, the folder of a run or a program, or the pack of a run")
      ->required();
  app.add_option("--sm", options->view.sm, "number of the SM that is shown")->check(CLI::Range(0, 65535));
  app.add_option("--launch", options->view.launch, "position of the launch, counted from 0");
  app.add_option("--from", options->view.from_cycle,
                 "first cycle (default: the first issue of the launch on the SM)");
  app.add_option("--to", options->view.to_cycle, "last cycle (default: 2,000 cycles)");
  app.add_option("--out", options->view.file, "file of the page");
  return [options] { return view_result(*options); };
}

}  // namespace heddle::cli
