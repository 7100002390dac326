#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "testbench/cli/commands.h"
#include "testbench/cli/run_options.h"
#include "testbench/output/run_outputs.h"
#include "testbench/output/summary.h"

namespace heddle::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

// The second signal ends the program as it would have without us.
void on_signal(int number) {
  stop_asked = 1;
  std::signal(number, SIG_DFL);
}

// One line on the terminal that shows how far the present launch is.
class Progress {
 public:
  explicit Progress(bool shown) : shown_(shown) {}
  ~Progress() { clear(); }

  void reference() {
    if (shown_ && due()) print("reference run ...");
  }
  void launch(const isa::KernelLaunch& launch) {
    kernel_ = launch.program->kernel;
    index_ = launch.id.value;
    start_ = Clock::now();
    begin_ = ~Cycle{0};
  }
  void beat(Gpu& gpu, Cycle cycle) {
    if (!shown_) return;
    if (begin_ == ~Cycle{0}) {
      begin_ = cycle;
      first_beat_ = Clock::now();
    }
    if (!due()) return;
    const double seconds = seconds_since(start_), beating = seconds_since(first_beat_);
    const double rate = beating > 0 ? static_cast<double>(cycle - begin_) / beating / 1e6 : 0;
    const auto ended = static_cast<double>(gpu.dispatcher().ctas_ended());
    const auto total = static_cast<double>(gpu.dispatcher().ctas_total());
    const std::string eta =
        ended > 0 ? fmt::format(", {:.0f} s to go", seconds * (total - ended) / ended) : std::string{};
    print(fmt::format("launch {} {:.24}: {:.0f} of {:.0f} CTAs, cycle {} ({:.2f} M cycles/s{})", index_,
                      kernel_, ended, total, cycle, rate, eta));
  }
  void clear() {
    if (printed_) fmt::print(stderr, "\r\x1b[K");
    printed_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  bool due() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(250)) return false;
    last_ = now;
    return true;
  }
  void print(const std::string& text) {
    fmt::print(stderr, "\r\x1b[K{}", text);
    std::fflush(stderr);
    printed_ = true;
  }

  bool shown_, printed_ = false;
  std::string kernel_;
  std::uint32_t index_ = 0;
  Cycle begin_ = 0;
  Clock::time_point start_ = Clock::now(), first_beat_ = start_, last_ = start_;
};

std::string speed(const run::RunResult& result, std::uint64_t issued) {
  const auto rate = [](std::uint64_t n, double seconds) {
    return seconds > 0 ? static_cast<double>(n) / seconds / 1e6 : 0;
  };
  std::string out = fmt::format("time: {:.2f} s timed ({:.2f} M warp-instructions/s)", result.timed_seconds,
                                rate(issued, result.timed_seconds));
  if (result.reference_instructions)
    out += fmt::format(", {:.2f} s reference ({:.2f} M warp-instructions/s)", result.reference_seconds,
                       rate(result.reference_instructions, result.reference_seconds));
  return out + "\n";
}

}  // namespace

int run_on_terminal(const run::RunParameters& parameters, Printed printed) {
  const bool quiet = printed != Printed::summary;
  RunOutputs outputs(parameters.output, printed == Printed::json);
  Progress progress(printed != Printed::nothing && ::isatty(STDERR_FILENO));
  std::unique_ptr<run::RunSession> session;
  Gpu* gpu = nullptr;
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& built) {
    gpu = &built;
    outputs.attach(*session);
    if (quiet) return;
    fmt::print("{}\n", output::make_heading(parameters));
    std::fflush(stdout);
  };
  hooks.on_launch = [&](const isa::KernelLaunch& launch) {
    progress.launch(launch);
    outputs.launch_begins(launch);
  };
  hooks.on_launch_end = [&](const run::LaunchRecord& record) { outputs.launch_ended(record); };
  hooks.on_interval = [&](Cycle cycle) { outputs.interval(cycle); };
  hooks.on_heartbeat = [&](Cycle cycle) {
    progress.beat(*gpu, cycle);
    return stop_asked != 0;
  };
  hooks.on_reference = [&] {
    progress.reference();
    return stop_asked != 0;
  };
  session = std::make_unique<run::RunSession>(parameters, hooks);
  outputs.check_files(*session);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const run::RunResult& result = session->run();
  progress.clear();
  outputs.finish(*session);
  if (!quiet) {
    fmt::print("{}{}", session->printed().text(), output::make_summary(*session));
    if (session->co_simulation())
      for (const std::string& note : session->co_simulation()->notes()) fmt::print("{}\n", note);
    std::uint64_t issued = 0;
    for (const auto& sm : session->gpu().sms()) issued += sm->issue().issued();
    fmt::print("{}", speed(result, issued));
    if (outputs.writes()) fmt::print("results in {}\n", parameters.output.folder);
  }
  if (printed == Printed::json) outputs.print_result(stdout);
  if (result.interrupted) return kInterrupted;
  if (!result.checked || result.equal) return kSuccess;
  fmt::print(stderr, "error: {}: outputs differ from the untimed reference\n", parameters.launch);
  return kDifferent;
}

}  // namespace heddle::cli
