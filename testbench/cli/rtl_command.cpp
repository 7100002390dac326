// heddle rtl: reports area and timing of the Verilog blocks. Also reports whether each gate-level netlist is
// equivalent to its Verilog, and whether a netlist returns the recorded outputs for recorded inputs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/output/markdown.h"
#include "testbench/output/progress_line.h"
#include "testbench/run/data_files.h"
#include "testbench/synthesis/rtl_report.h"
#include "testbench/synthesis/tool.h"

namespace heddle::cli {

Action add_rtl(CLI::App& app) {
  auto request = std::make_shared<synthesis::RtlReportRequest>();
  request->liberty = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
  request->folder = "results/rtl";
  request->jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  app.add_option("--liberty", request->liberty, "cell library; a .lef file next to it corrects its areas")
      ->capture_default_str();
  app.add_option("--out", request->folder, "folder for scripts, netlists, logs and report.md")
      ->capture_default_str();
  app.add_option("--jobs", request->jobs, "number of blocks at one time; default: the number of cores")
      ->check(CLI::Range(1, 256));
  app.add_option(
      "--stimuli", request->stimuli,
      "folder of recordings (heddle run --cosim lockstep --set cosim.record=FOLDER) to check netlists with");
  return [request] {
    request->rtl_folder = run::find_data("rtl");
    if (request->rtl_folder.empty()) throw Error("rtl", "the folder of the Verilog blocks is missing");
    if (!std::filesystem::exists(request->liberty))
      throw Error("--liberty", fmt::format("there is no file {}", request->liberty),
                  "any Liberty file; scripts/setup --rtl installs Debian's OSU 180 nm library");
    output::ProgressLine progress(true);
    progress.say("synthesises the blocks");
    synthesis::RtlReport report = synthesis::make_rtl_report(*request);
    report.text = output::harmless_markdown(report.text);
    progress.clear();
    synthesis::write_text(request->folder + "/report.md", report.text);
    fmt::print("{}", report.text);
    return report.differences == 0 ? kSuccess : kDifferent;
  };
}

}  // namespace heddle::cli
