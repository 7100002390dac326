#include "testbench/cli/option_table.h"

#include <algorithm>
#include <utility>

namespace heddle::cli {
namespace {

SharedOption option(const char* name, OptionKind kind, const char* doc) { return {name, kind, doc}; }

// Makes an option that affects the simulation. `heddle price` refuses such an option, because this command
// does not simulate.
SharedOption simulated(SharedOption&& made) {
  return std::move(made).refused_by({Command::price}, "nothing is simulated: a stored run keeps its counters",
                                    "heddle run, compare and exec");
}

// Makes an option that writes files for a single run. `heddle experiment` refuses it, because its runs have
// no folders of their own.
SharedOption observed(SharedOption&& made) {
  return simulated(std::move(made))
      .refused_by({Command::experiment},
                  "a run of an experiment stores only totals and has no folder of its own",
                  "heddle run with the parameters of one of its runs");
}

std::vector<SharedOption> machine() {
  using enum Command;
  using enum OptionKind;
  return {
      simulated(option("--launch", text, "launch file, or the name of a kernel, such as bfs or bfs/small"))
          .refused_by({exec}, "the program makes the launches", "--launches, which selects among them")
          .refused_by({experiment}, "the experiment's file names the kernels",
                      "\"kernels\" of a size in the file"),
      simulated(option("--gpu", text, "GPU preset, by name or file"))
          .refused_by({compare}, "each variant names its GPU",
                      "a preset as a variant, such as fermi-gtx480+hybrid")
          .refused_by({experiment}, "the experiment's file names the GPUs",
                      "\"base\" and \"variants\" in the file"),
      simulated(option("--with", texts,
                       "technique to apply, such as hybrid (heddle list techniques); in an experiment, in "
                       "addition to the file's variants; may be given again")),
      simulated(option("--scheduler", text, "warp scheduler policy").sets("gpu.sm.scheduler")),
      simulated(option("--registers", count, "most architected registers per thread")
                    .sets("compiler.max_registers")),
      option("--set", texts,
             "path.key=value: any parameter, such as gpu.sm.max_warps=32; for a stored run only those of "
             "power; may be given again"),
      simulated(
          option(
              "--check", checks,
              "compare with the untimed reference: auto, on, off; or on with checks of it, joined by commas: "
              "memory, init, races, sync, atomics, warps; strict: all of them (docs/reference.md)")
              .sets("watch.check")
              .lists("watch.checks")),
      simulated(option("--check-limit", count, "most findings of checks that are printed")
                    .sets("watch.check_limit")),
      simulated(
          option("--max-cycles", count, "a launch that takes longer is an error").sets("watch.max_cycles")),
      simulated(option("--launches", positions,
                       "time only these launches, such as 0,3-5; the reference executes the others. For a "
                       "program also bfs*:5 (the first 5 of each kernel) or representatives (the first of "
                       "each group of similar launches)")
                    .sets("watch.sample.launches")
                    .read_by({exec}))
          .refused_by({experiment}, "its kernels have different numbers of launches",
                      "\"set\": {\"watch.sample.launches\": [...]} of a kernel in the file"),
      simulated(option("--sample-ctas", count, "time only the first N CTAs of every launch")
                    .sets("watch.sample.ctas")),
      simulated(option("--estimate", flag,
                       "time some places of every large launch, execute the rest untimed, and estimate the "
                       "whole with an interval (docs/estimates.md)")
                    .sets("estimate.enabled")),
      simulated(option("--threads", count, "threads that run the SMs of a run (results do not change)")
                    .sets("watch.threads")),
      simulated(
          option("--jobs", count, "number of runs at one time; default: the number of cores").within(1, 256))
          .refused_by({run, exec}, "one run is made at a time", "--threads, which run the SMs of a run"),
      simulated(
          option("--cosim", text,
                 "Verilated RTL connected to the model: off, lockstep (compare), drive (the RTL decides)")
              .sets("cosim.mode"))
          .refused_by({exec}, "co-simulation of a program", "off; heddle run --launch of a captured launch"),
  };
}

std::vector<SharedOption> prices() {
  using enum Command;
  using enum OptionKind;
  return {
      option("--account", text,
             "tables that price a run: machine (one table for SM, L1, L2 and DRAM) or papers (each technique "
             "by its own paper's); tables given by name win (docs/energy.md)")
          .sets("power.account")
          .empties({"power.stand_back", "power.corners"}),
      option("--technology", texts,
             "technology that prices the run, a name in configs/technology or a file; replaces the "
             "configuration's technologies, --stand-back and --corner; may be given again")
          .sets("power.technologies")
          .empties({"power.stand_back", "power.corners"}),
      option("--stand-back", texts,
             "one of these technologies that prices only what no other one prices; may be given again")
          .sets("power.stand_back"),
      option("--corner", texts,
             "low, nominal or high: this end of every range; NAME=high: of one range; NAME=0.5: a number for "
             "one range; may be given again")
          .sets("power.corners"),
  };
}

std::vector<SharedOption> written() {
  using enum Command;
  using enum OptionKind;
  return {
      option("--out", text, "output folder").sets("output.folder").read_by({compare, experiment, price}),
      observed(
          option("--vcd", optional_text, "write a waveform; --vcd=FILE: to this file of the output folder")
              .sets("output.vcd.file", "output.vcd.enabled")
              .into_folder()),
      observed(option("--vcd-select", text, "signals by name patterns, such as \"sm0.warp*.state,**bank**\"")
                   .sets("output.vcd.select")
                   .into_folder()),
      observed(option("--vcd-from", count, "first cycle of the waveform")
                   .sets("output.vcd.from_cycle")
                   .into_folder()),
      observed(
          option("--vcd-to", count, "last cycle of the waveform").sets("output.vcd.to_cycle").into_folder()),
      observed(option("--profile", flag,
                      "write profile.txt: issues, stalls and conflicts by instruction; compare prints the "
                      "PTX lines whose waits differ from the first variant's")
                   .sets("output.profile")
                   .into_folder({compare}))
          .refused_by({exec}, "a program's launches are not observed one by one",
                      "--capture FOLDER, and heddle run --launch of a captured launch"),
      observed(option("--analyze", texts,
                      "tables of what the program does, such as value-usage (heddle list analysis); may be "
                      "given again")
                   .sets("output.analyses")
                   .into_folder())
          .refused_by({exec}, "a program's launches are not observed one by one",
                      "--capture FOLDER, and heddle run --launch of a captured launch"),
      observed(option("--timeline", optional_text,
                      "write timeline.pftrace for Perfetto; --timeline=json: timeline.json, also for "
                      "chrome://tracing")
                   .sets("output.timeline_format", "output.timeline")
                   .shown_as("[=json]")
                   .into_folder())
          .refused_by({exec}, "a program's launches are not observed one by one",
                      "--capture FOLDER, and heddle run --launch of a captured launch"),
      observed(option("--pipeline", text,
                      "write the way of each instruction through the SM for the viewer Konata, as FILE or "
                      "FILE.gz; output.pipeline.* choose SMs and cycles")
                   .sets("output.pipeline.file"))
          .refused_by({compare}, "its runs would all write to one file", "heddle run, for each variant")
          .refused_by({exec}, "a program's launches are not observed one by one",
                      "--capture FOLDER, and heddle run --launch of a captured launch"),
      observed(option("--interval", count, "cycles between two rows of intervals.csv and conservation checks")
                   .sets("watch.interval_cycles"))
          .refused_by({exec}, "a program's launches are not observed one by one",
                      "--capture FOLDER, and heddle run --launch of a captured launch"),
      option("--report", flag, "write report.html, a self-contained page with all results")
          .sets("output.report")
          .read_by({compare, experiment})
          .into_folder()
          .refused_by({price}, "the page shows what a run observes, but nothing is run",
                      "--out FOLDER, for result.json and energy.csv"),
      option("--quiet", flag, "print nothing but errors").without("--json"),
      option("--json", flag,
             "print the result as JSON instead of the summary: result.json, program.json or comparison.json")
          .refused_by({experiment}, "an experiment's results are tables",
                      "results.csv, points.csv and figures/*.csv in --out"),
      simulated(option("--against", texts,
                       "compare the run with another one: plain (without techniques), other techniques, a "
                       "scenario, a stored result; may be given again"))
          .refused_by({compare}, "every variant is compared with the first one",
                      "the other run as the first variant")
          .refused_by({experiment}, "a figure states what it is relative to",
                      "\"relative_to\" of a figure in the file"),
  };
}

}  // namespace

const char* name_of(Command command) {
  constexpr std::array kNames = {"run", "exec", "compare", "experiment", "price"};
  return kNames[static_cast<std::size_t>(command)];
}

SharedOption SharedOption::sets(std::string parameter, std::string turned_on) && {
  path = std::move(parameter);
  switch_path = std::move(turned_on);
  return std::move(*this);
}

SharedOption SharedOption::lists(std::string parameter) && {
  list_path = std::move(parameter);
  return std::move(*this);
}

SharedOption SharedOption::within(std::uint64_t from, std::uint64_t to) && {
  least = from;
  most = to;
  return std::move(*this);
}

SharedOption SharedOption::into_folder(std::initializer_list<Command> but_printed_by) && {
  needs_folder = true;
  printed_by = but_printed_by;
  return std::move(*this);
}

SharedOption SharedOption::without(std::string other) && {
  excludes = std::move(other);
  return std::move(*this);
}

SharedOption SharedOption::shown_as(std::string value) && {
  shown = std::move(value);
  return std::move(*this);
}

SharedOption SharedOption::empties(std::vector<std::string> lists) && {
  emptied = std::move(lists);
  return std::move(*this);
}

SharedOption SharedOption::read_by(std::initializer_list<Command> commands) && {
  readers = commands;
  return std::move(*this);
}

SharedOption SharedOption::refused_by(std::initializer_list<Command> commands, const std::string& why,
                                      const std::string& allowed) && {
  for (const Command command : commands) refusals.push_back({command, why, allowed});
  return std::move(*this);
}

const SharedOption::Refusal* SharedOption::refusal(Command command) const {
  const auto found = std::find_if(refusals.begin(), refusals.end(),
                                  [command](const Refusal& one) { return one.command == command; });
  return found == refusals.end() ? nullptr : &*found;
}

bool SharedOption::is_read_by(Command command) const {
  return std::find(readers.begin(), readers.end(), command) != readers.end();
}

bool SharedOption::is_printed_by(Command command) const {
  return std::find(printed_by.begin(), printed_by.end(), command) != printed_by.end();
}

std::vector<SharedOption>& shared_options() {
  static std::vector<SharedOption> table = [] {
    std::vector<SharedOption> all;
    for (std::vector<SharedOption> (*const part)() : {machine, prices, written})
      for (SharedOption& one : part()) all.push_back(std::move(one));
    return all;
  }();
  return table;
}

}  // namespace heddle::cli
