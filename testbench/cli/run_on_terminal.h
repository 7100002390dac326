#pragma once

// One run on the terminal: progress, signals and summary.

#include "testbench/run/run_parameters.h"

namespace heddle::cli {

struct Variant;

/// What a run prints.
enum class Printed { summary, nothing, json };

/// Runs, prints and returns the exit status. If `against` is given, a process of its own makes that run
/// first. The printed text, the report and comparison.json then compare the two runs.
int run_on_terminal(const run::RunParameters& parameters, Printed printed, const Variant* against = nullptr);

}  // namespace heddle::cli
