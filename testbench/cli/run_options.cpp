#include "testbench/cli/run_options.h"

#include <CLI/CLI.hpp>

#include "models/core/error.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

// "0,3" as a list; what is wrong with its items shows when the parameters are read.
ConfigNode integer_list(const std::string& text, const std::string& flag) {
  try {
    ConfigNode list = parse_config_text("[" + text + "]", flag);
    list.line = 0;
    for (ConfigNode& item : list.items) item.line = 0;
    return list;
  } catch (const Error&) {
    throw Error(flag, "\"" + text + "\" is not a list of launch positions", "numbers from 0, as in 0,3");
  }
}

}  // namespace

void RunOptions::add_configuration(CLI::App& app) {
  app.add_option("--launch", launch,
                 "launch file, or the name of a kernel, as bfs or bfs/small (instead of the scenario's)");
  add_machine(app);
  app.add_option("--cosim", cosim,
                 "Verilated RTL beside the model: off, lockstep (compare), drive (the RTL decides)");
  app.add_option("--launches", launches,
                 "time only these launches, as 0,3; the reference executes the others");
}

void RunOptions::add_machine(CLI::App& app) {
  app_ = &app;
  app.add_option("--gpu", gpu, "GPU preset, by name or file (instead of the scenario's)");
  app.add_option("--with", with,
                 "technique that is laid on, as hybrid (heddle list techniques); may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--scheduler", scheduler, "warp scheduler policy");
  app.add_option("--registers", registers, "architected registers a thread may use");
  app.add_option("--set", sets, "path.key=value: any parameter of the scenario, as gpu.sm.max_warps=32")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--check", check, "compare with the untimed reference: auto, on, off");
  app.add_option("--max-cycles", max_cycles, "a launch that takes longer is an error");
  app.add_option("--sample-ctas", sample_ctas, "time only the first N CTAs of every launch");
  app.add_flag(
      "--estimate", estimate,
      "time some places of every large launch, execute the rest untimed, and estimate the whole with an "
      "interval (docs/estimates.md)");
  app.add_option("--threads", threads, "threads that run the SMs (same results)");
}

void RunOptions::add_waves(CLI::App& app) {
  app.add_option("--vcd", vcd, "write a waveform; --vcd=FILE: to this file of the output folder")
      ->option_text("[=FILE]");
  app.add_option("--vcd-select", vcd_select, "signals by name patterns, as \"sm0.warp*.state,**bank**\"");
  app.add_option("--vcd-from", vcd_from, "first cycle of the waveform");
  app.add_option("--vcd-to", vcd_to, "last cycle of the waveform");
}

void RunOptions::add_output(CLI::App& app) {
  app.add_option("--out", out, "output folder");
  add_waves(app);
  app.add_flag("--profile", profile, "write profile.txt: issues, stalls, conflicts by instruction");
  app.add_option("--analyze", analyses, "tables of what the program does: value-usage; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_flag("--timeline", timeline, "write timeline.json for Perfetto");
  app.add_flag("--report", report, "write report.html, a page with everything, that needs no other file");
  app.add_option("--interval", interval, "cycles between two rows of intervals.csv and conservation checks");
  CLI::Option* nothing = app.add_flag("--quiet", quiet, "print nothing but errors");
  app.add_flag("--json", json, "print result.json instead of the summary")->excludes(nothing);
}

run::ScenarioRequest RunOptions::request() const {
  run::ScenarioRequest request;
  request.scenario = run::find_scenario(scenario);
  request.gpu = gpu;
  request.launch = run::find_launch(launch);
  request.sets = sets;
  request.with = with;
  const auto given = [this](const char* flag) {
    const CLI::Option* option = app_->get_option_no_throw(flag);
    return option && option->count() > 0;
  };
  const auto put = [&](const char* flag, const char* path, ConfigNode value) {
    if (given(flag)) request.flags.emplace_back(path, std::move(value));
  };
  const auto text = [&](const char* flag, const char* path, const std::string& value) {
    put(flag, path, ConfigNode::make_string(value, flag));
  };
  const auto number = [&](const char* flag, const char* path, std::uint64_t value) {
    put(flag, path, ConfigNode::make_count(value, flag));
  };
  const auto on = [&](const char* flag, const char* path) {
    put(flag, path, ConfigNode::make_boolean(true, flag));
  };
  text("--scheduler", "gpu.sm.scheduler", scheduler);
  number("--registers", "compiler.max_registers", registers);
  text("--check", "watch.check", check);
  text("--cosim", "cosim.mode", cosim);
  number("--max-cycles", "watch.max_cycles", max_cycles);
  number("--sample-ctas", "watch.sample.ctas", sample_ctas);
  on("--estimate", "estimate.enabled");
  if (given("--threads"))
    request.flags.emplace_back("watch.threads", ConfigNode::make_integer(threads, "--threads"));
  if (given("--launches"))
    request.flags.emplace_back("watch.sample.launches", integer_list(launches, "--launches"));
  text("--out", "output.folder", out);
  on("--vcd", "output.vcd.enabled");
  if (vcd != kNoValue) text("--vcd", "output.vcd.file", vcd);
  text("--vcd-select", "output.vcd.select", vcd_select);
  number("--vcd-from", "output.vcd.from_cycle", vcd_from);
  number("--vcd-to", "output.vcd.to_cycle", vcd_to);
  on("--profile", "output.profile");
  on("--timeline", "output.timeline");
  on("--report", "output.report");
  if (given("--analyze"))
    request.flags.emplace_back("output.analyses", ConfigNode::make_texts(analyses, "--analyze"));
  number("--interval", "watch.interval_cycles", interval);
  return request;
}

}  // namespace heddle::cli
