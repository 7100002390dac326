#pragma once

// Starts a program whose CUDA calls go to Heddle's CUDA runtime, and waits for its end.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/estimate/launch_estimate.h"
#include "testbench/program/exec_parameters.h"
#include "testbench/program/launch_row.h"

namespace heddle::program {

struct ProgramEnd {
  int status = 0;
  int signal = 0;            ///< signal that ended the program; 0: it ended by itself
  bool interrupted = false;  ///< True: the user has ended the program (Ctrl-C).
  bool used_cuda = false;    ///< True: the program has loaded Heddle's CUDA runtime.
  std::vector<LaunchRow> launches;
  std::optional<estimate::LaunchEstimate> estimate;  ///< estimate of all launches together, with --estimate
  ConfigNode counted;  ///< counters of the timed launches (program_counts.h); null if a process left none
  std::string unusual_end() const;  ///< description of an unusual end; empty after a usual end
  /// Returns true if at least one launch was timed and the user did not end the program.
  bool has_timed() const;
};

/// Checks that a program can run. Throws Error for a file that is no program. Also throws Error if the
/// program cannot use Heddle's CUDA runtime: a CUDA runtime is linked into the program, or Heddle has no
/// library for the version that the program needs.
void check_program(const std::string& file);

/// Returns the path at which a shell would find a command. Throws Error if there is none.
std::string find_program(const std::string& command);

/// Called from time to time while the program runs. `launches`: number of launches that the program's first
/// process has finished. `last`: the last of these launches.
using ProgramProgress = std::function<void(std::uint64_t launches, const LaunchRow& last)>;

/// Runs `command` (a program and its arguments, without a shell). Returns the results of its launches, which
/// Heddle's CUDA runtime in the process wrote to files. `silent`: discards the program's standard output.
ProgramEnd run_program(const std::vector<std::string>& command, ExecParameters parameters,
                       const ProgramProgress& progress = {}, bool silent = false);

}  // namespace heddle::program
