#pragma once

// One run on the terminal: progress, signals, summary.

#include "testbench/run/run_parameters.h"

namespace heddle::cli {

struct Variant;

/// What a run prints.
enum class Printed { summary, nothing, json };

/// Runs and prints; returns the exit status. With `against`, that run is made first, in a process of its own, and both
/// stand beside each other in what is printed, in the report and in comparison.json.
int run_on_terminal(const run::RunParameters& parameters, Printed printed, const Variant* against = nullptr);

}  // namespace heddle::cli
