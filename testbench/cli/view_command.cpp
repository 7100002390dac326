// heddle view: repeats a stored run, records an SM in a window of cycles, and writes the page that shows it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "models/core/counted.h"
#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/repeated_run.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/progress_line.h"
#include "testbench/output/terminal_text.h"
#include "testbench/pack/contents.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/view/view_page.h"
#include "testbench/view/view_recorder.h"

namespace heddle::cli {
namespace {

struct ViewOptions {
  std::string result;
  view::ViewParameters view;
};

// Of the stored run's outputs, none is written again.
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

std::string title_of(const view::Recording& recording) {
  std::string title = fmt::format("SM {} of {}", recording.sm, recording.gpu);
  if (!recording.techniques.empty()) title += fmt::format(" with {}", fmt::join(recording.techniques, ", "));
  return title;
}

int view_result(const ViewOptions& options) {
  std::optional<pack::OpenedPack> opened;
  if (pack::is_pack(options.result)) {
    opened.emplace(options.result);
    pack::check_repeatable(*opened);
  }
  const std::string file = opened ? opened->result() : pack::result_file(options.result);
  launch::NewFile page(options.view.file);
  view::Recording recording;
  try {
    recording = record(read_result(file), file, options.view);
  } catch (const Error& error) {
    throw Error("", opened ? opened->shown(error.what()) : std::string(error.what()));
  }
  page.write(view::make_page(recording, title_of(recording)));
  page.commit();
  std::string note =
      fmt::format("cycles {} to {} of SM {} with {} in {}", recording.from, recording.to, recording.sm,
                  counted(recording.log.instructions.size(), "instruction"), options.view.file);
  if (recording.cut)
    note += fmt::format(
        "\ncut after cycle {}: the recording has its largest size of {} bytes; --from continues it",
        recording.to, options.view.max_bytes);
  output::print_wrapped(note + "\n");
  return kSuccess;
}

}  // namespace

Action add_view(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  options->view.file = "view.html";
  app.add_option("result", options->result, "result.json, the folder of a run, or a pack of it")->required();
  app.add_option("--sm", options->view.sm, "number of the SM that is shown")->check(CLI::Range(0, 65535));
  app.add_option("--from", options->view.from_cycle, "first cycle (default: the first issue of the SM)");
  app.add_option("--to", options->view.to_cycle, "last cycle (default: 2,000 cycles)");
  app.add_option("--out", options->view.file, "file of the page");
  return [options] { return view_result(*options); };
}

}  // namespace heddle::cli
