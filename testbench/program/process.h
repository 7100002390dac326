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
  int signal = 0;
  bool interrupted = false;
  bool used_cuda = false;
  std::vector<LaunchRow> launches;
  std::optional<estimate::LaunchEstimate> estimate;
  ConfigNode counted;               ///< counters of the timed launches; null if a process stored none
  std::string unusual_end() const;  ///< reason of an unusual end; empty after a usual end
  bool has_timed() const;
};

/// Checks that a file is a program that can use Heddle's CUDA runtime; throws Error otherwise. A program
/// cannot use it if another CUDA runtime is linked into the program, or if Heddle has no runtime of the
/// version that the program needs.
void check_program(const std::string& file);

/// Returns the path at which a shell would find a command. Throws Error if there is none.
std::string find_program(const std::string& command);

/// Function that is called from time to time while the program runs. `launches`: number of finished launches
/// of the first process; `last`: the latest of these launches.
using ProgramProgress = std::function<void(std::uint64_t launches, const LaunchRow& last)>;

/// Runs `command` without a shell. Returns the results, which Heddle's CUDA runtime in the program writes to
/// files. `silent`: the program's standard output is discarded.
ProgramEnd run_program(const std::vector<std::string>& command, ExecParameters parameters,
                       const ProgramProgress& progress = {}, bool silent = false);

}  // namespace heddle::program
