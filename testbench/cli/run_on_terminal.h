#pragma once

// Executes one run with output on the terminal: progress, signals and summary.

#include "testbench/run/run_parameters.h"

namespace heddle::cli {

struct Variant;

enum class Printed { summary, nothing, json };

/// Executes the run, prints the summary and returns the exit status. If `against` is given, a child process
/// executes the run of `against` first. Summary, report.html and comparison.json then compare both runs.
int run_on_terminal(const run::RunParameters& parameters, Printed printed, const Variant* against = nullptr);

}  // namespace heddle::cli
