#include "testbench/cli/run_on_terminal.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <optional>

#include "models/core/error.h"
#include "models/ptx/kernel_name.h"
#include "models/sm/issue_stage.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/page_head.h"
#include "testbench/cli/variants.h"
#include "testbench/comparison/comparison_text.h"
#include "testbench/experiment/child_pool.h"
#include "testbench/launch/stop_signals.h"
#include "testbench/output/progress_line.h"
#include "testbench/output/result_file.h"
#include "testbench/output/run_outputs.h"
#include "testbench/output/summary.h"
#include "testbench/output/terminal_text.h"

namespace heddle::cli {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void on_signal(int number) {
  stop_requested = 1;
  std::signal(number, SIG_DFL);
}

class Progress {
 public:
  Progress(bool shown, std::string name) : line_(shown), name_(std::move(name)) {
    line_.say(name_ + "is built");
  }
  void reference() { line_.say(name_ + "reference run"); }
  void launch(const isa::KernelLaunch& launch) {
    what_ =
        fmt::format("{}launch {} {:.24}", name_, launch.id.value, ptx::plain_name(launch.program->kernel));
    start_ = Clock::now();
    begin_ = ~Cycle{0};
    line_.say(what_);
  }
  void beat(Gpu& gpu, Cycle cycle) {
    if (!line_.shown()) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (begin_ == ~Cycle{0}) begin_ = cycle;
    const double rate = seconds > 0 ? static_cast<double>(cycle - begin_) / seconds / 1e6 : 0;
    const auto ended = static_cast<double>(gpu.dispatcher().ctas_ended());
    const auto total = static_cast<double>(gpu.dispatcher().ctas_total());
    const std::string eta =
        ended > 0 ? fmt::format(", {:.0f} s to go", seconds * (total - ended) / ended) : std::string{};
    line_.say(fmt::format("{}: {:.0f} of {:.0f} CTAs, cycle {}, {:.2f} M cycles/s{}", what_, ended, total,
                          cycle, rate, eta));
  }
  void writes() { line_.say(name_ + "writes results"); }
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  output::ProgressLine line_;
  std::string name_, what_;
  Cycle begin_ = 0;
  Clock::time_point start_ = Clock::now();
};

std::string speed(const run::RunResult& result, std::uint64_t issued) {
  const auto rate = [](std::uint64_t n, double seconds) {
    return seconds > 0 ? static_cast<double>(n) / seconds / 1e6 : 0;
  };
  std::string out = fmt::format("time: {:.2f} s timed ({:.2f} M warp-instructions/s)\n", result.timed_seconds,
                                rate(issued, result.timed_seconds));
  if (result.reference_instructions)
    out += fmt::format("      {:.2f} s reference ({:.2f} M warp-instructions/s)\n", result.reference_seconds,
                       rate(result.reference_instructions, result.reference_seconds));
  return out;
}

class TerminalRun {
 public:
  /// Prepares a run with output on the terminal. `result_printed`: true if result.json is printed after the
  /// run (--json).
  TerminalRun(const run::RunParameters& parameters, const std::string& name, bool progress, bool heading,
              bool result_printed)
      : parameters_(parameters), outputs_(parameters.output, result_printed), progress_(progress, name) {
    run::RunHooks hooks;
    hooks.on_built = [this, heading](Gpu& built) {
      gpu_ = &built;
      outputs_.attach(*session_);
      if (!heading) return;
      progress_.clear();
      output::print_wrapped(output::make_heading(parameters_) + "\n");
      std::fflush(stdout);
    };
    hooks.on_launch = [this](const isa::KernelLaunch& launch) {
      progress_.launch(launch);
      outputs_.launch_begins(launch);
    };
    hooks.on_launch_end = [this](const run::LaunchRecord& record) { outputs_.launch_ended(record); };
    hooks.on_interval = [this](Cycle cycle) { outputs_.interval(cycle); };
    hooks.on_heartbeat = [this](Cycle cycle) {
      progress_.beat(*gpu_, cycle);
      return stop_requested != 0;
    };
    hooks.on_reference = [this] {
      progress_.reference();
      return stop_requested != 0;
    };
    session_ = std::make_unique<run::RunSession>(parameters_, hooks);
    outputs_.check_files(*session_);
    launch::catch_stop_signals(on_signal);
  }

  void run() {
    session_->run();
    if (outputs_.writes()) progress_.writes();
    outputs_.finish(*session_);
    progress_.clear();
  }
  ConfigNode result() { return output::make_result(*session_, parameters_.output.folder); }
  run::RunSession& session() { return *session_; }
  RunOutputs& outputs() { return outputs_; }

 private:
  const run::RunParameters& parameters_;
  RunOutputs outputs_;
  Progress progress_;
  std::unique_ptr<run::RunSession> session_;
  Gpu* gpu_ = nullptr;
};

// Returns the run with which this run is compared: a stored run, or a run that a child process executes now.
// Empty if a signal has ended the child process.
std::optional<comparison::ComparedRun> other_run(const Variant& against, bool progress) {
  if (against.stored) return against.stored;
  std::optional<comparison::ComparedRun> made;
  experiment::ChildWork work;
  work.count = 1;
  work.stop = &stop_requested;
  work.task = [&](std::size_t) {
    TerminalRun other(against.parameters, against.name + ": ", progress, false, false);
    other.run();
    return to_json(other.result());
  };
  const std::string where = "--against " + against.name;
  work.done = [&](std::size_t, const experiment::ChildOutcome& outcome) {
    if (!outcome.ok) throw Error(where, outcome.error);
    const ConfigNode result = parse_config_text(outcome.text, where);
    if (result.find("interrupted")->boolean) return;
    made = comparison::compared_run(against.name, result, against.parameters.output.folder, where);
    made->notes = against.notes;
  };
  experiment::run_children(work);
  return made;
}

void print_summary(TerminalRun& run, const run::RunParameters& parameters) {
  run::RunSession& session = run.session();
  fmt::print("{}", session.printed().text());
  output::print_wrapped(output::make_summary(session));
  if (session.co_simulation())
    for (const std::string& note : session.co_simulation()->notes()) output::print_wrapped(note + "\n");
  std::uint64_t issued = 0;
  for (const auto& sm : session.gpu().sms()) issued += sm->issue().issued();
  fmt::print("{}", speed(session.result(), issued));
  if (run.outputs().writes()) fmt::print("results in {}\n", parameters.output.folder);
  if (const std::string& note = run.outputs().pipeline_note(); !note.empty())
    output::print_wrapped(note + "\n");
}

int status_of(const run::RunResult& result, const run::RunParameters& parameters) {
  if (result.interrupted) return kInterrupted;
  if (result.findings != 0) {
    fmt::print(stderr, "error: {}: findings of --check: {}\n", parameters.launch, result.findings);
    return kDifferent;
  }
  if (!result.checked || result.equal) return kSuccess;
  fmt::print(stderr, "error: {}: outputs differ from the untimed reference\n", parameters.launch);
  return kDifferent;
}

}  // namespace

int run_on_terminal(const run::RunParameters& parameters, Printed printed, const Variant* against) {
  const bool progress = printed != Printed::nothing;
  TerminalRun run(parameters, "", progress, printed == Printed::summary, printed == Printed::json);
  comparison::Runs runs;
  const std::string name = name_of_run(parameters), &folder = parameters.output.folder;
  const auto with_this = [&](const ConfigNode& result) {
    comparison::Runs both = runs;
    both.push_back(comparison::compared_run(name, result, folder, name));
    return both;
  };
  if (against) {
    const std::optional<comparison::ComparedRun> other = other_run(*against, progress);
    if (!other) return kInterrupted;
    runs = {*other};
    run.outputs().add({"comparison.json",
                       [&](const ConfigNode& result) {
                         return to_json(comparison::comparison_json(with_this(result), folder));
                       },
                       [&](output::HtmlPage& page, const ConfigNode& result) {
                         comparison::add_comparison(page, with_this(result));
                       }});
  }
  run.outputs().explain_by([](const ConfigNode& result, const std::string& profile_csv) {
    return why_text_of(result, why::Places::of_text(profile_csv));
  });
  run.run();
  const run::RunResult& result = run.session().result();
  const bool compares = against && !result.interrupted;
  if (printed == Printed::summary) {
    print_summary(run, parameters);
    if (compares)
      output::print_wrapped("\n" +
                            comparison::comparison_text(with_this(run.result()), comparison::Detail::brief));
  }
  if (printed == Printed::json && compares)
    fmt::print("{}", to_json(comparison::comparison_json(with_this(run.result()), folder)));
  else if (printed == Printed::json)
    run.outputs().print_result(stdout);
  const int status = status_of(result, parameters);
  if (status != kSuccess || !compares || comparison::all_equal(runs)) return status;
  fmt::print(stderr, "error: --against {}: outputs differ from the untimed reference\n", against->name);
  return kDifferent;
}

}  // namespace heddle::cli
