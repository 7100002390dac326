#pragma once

// Options that several commands share, and one run on the terminal: progress, signals, summary.

#include <memory>
#include <string>
#include <vector>

#include "testbench/run/scenario.h"

namespace CLI {
class App;
}

namespace heddle::cli {

/// What stands for the value of an option that takes one only with `=` and is given without: "--vcd".
inline constexpr const char* kNoValue = ".";

/// The options of `heddle run`, as parsed.
struct RunOptions {
  std::string scenario, launch, gpu, scheduler, check, cosim, out, vcd, vcd_select, launches;
  std::vector<std::string> sets, analyses, with, against;
  std::uint64_t registers = 0, max_cycles = 0, interval = 0, sample_ctas = 0, vcd_from = 0, vcd_to = 0;
  int threads = 1;
  bool profile = false, timeline = false, report = false, quiet = false, json = false, estimate = false;

  /// Options that change the configuration.
  void add_configuration(CLI::App& app);
  /// Of these, the ones of the machine and of how it is watched.
  void add_machine(CLI::App& app);
  void add_waves(CLI::App& app);
  /// Options that say what is written and printed.
  void add_output(CLI::App& app);
  run::ScenarioRequest request() const;

 private:
  CLI::App* app_ = nullptr;
};

struct Variant;

/// What a run prints.
enum class Printed { summary, nothing, json };

/// Runs and prints; returns the exit status. With `against`, that run is made first, in a process of its own, and both
/// stand beside each other in what is printed, in the report and in comparison.json.
int run_on_terminal(const run::RunParameters& parameters, Printed printed, const Variant* against = nullptr);

}  // namespace heddle::cli
