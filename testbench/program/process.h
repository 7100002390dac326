#pragma once

// Starts a program whose CUDA calls go to Heddle's runtime, and waits for its end.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/estimate/launch_estimate.h"
#include "testbench/program/exec_parameters.h"
#include "testbench/program/launch_row.h"

namespace heddle::program {

struct ProgramEnd {
  int status = 0;            ///< exit status of the program
  int signal = 0;            ///< number of the signal that ended the program; 0: none
  bool interrupted = false;  ///< True: the user ended the program.
  bool used_cuda = false;    ///< True: the program loaded Heddle's runtime.
  std::vector<LaunchRow> launches;
  std::optional<estimate::LaunchEstimate> estimate;  ///< sums over all launches
  ConfigNode counted;  ///< counts of the timed launches (program_counts.h); null if a process left none
  std::string unusual_end() const;  ///< description of an unusual end; empty after a usual end
  bool has_timed() const;  ///< Returns true if a launch was timed and the user did not end the program.
};

/// Throws Error for a file that is no program, or that cannot use the runtime: a CUDA runtime is linked into
/// it, or there is no library for its version.
void check_program(const std::string& file);

/// Returns the path where a shell would find the command. Throws Error if there is none.
std::string find_program(const std::string& command);

/// Called from time to time while the program runs, with the number of launches that have ended in its first
/// process, and the last of these.
using ProgramProgress = std::function<void(std::uint64_t launches, const LaunchRow& last)>;

/// Runs `command` (a program and its arguments, without a shell) and reads the runtime's results. `silent`:
/// drops the program's standard output.
ProgramEnd run_program(const std::vector<std::string>& command, ExecParameters parameters,
                       const ProgramProgress& progress = {}, bool silent = false);

}  // namespace heddle::program
