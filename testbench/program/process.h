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
  int status = 0;            ///< exit status
  int signal = 0;            ///< that ended it; 0: none
  bool interrupted = false;  ///< the user asked for its end
  bool used_cuda = false;    ///< the runtime was there
  std::vector<LaunchRow> launches;
  std::optional<estimate::LaunchEstimate> estimate;  ///< of all launches, which add up to it
  ConfigNode counted;        ///< by the timed ones (program_counts.h); null if not all said it
  std::string said() const;  ///< how it ended, where that is worth a word
  bool has_timed() const;    ///< some launch, and it was not ended early by the user
};

/// Throws Error for what is no program, or one that cannot meet the runtime: a CUDA runtime that is linked into it, a
/// version that there is no library for.
void check_program(const std::string& file);

/// Where a command of a shell would be found; throws Error if it is nowhere.
std::string find_program(const std::string& command);

/// Told now and then while the program runs: the launches that have ended in its first process, and the last of them.
using ProgramProgress = std::function<void(std::uint64_t launches, const LaunchRow& last)>;

/// Runs `command` (a program and its arguments, without a shell) and reads what the runtime has written of it. `silent`:
/// without what the program writes to its standard output.
ProgramEnd run_program(const std::vector<std::string>& command, ExecParameters parameters,
                       const ProgramProgress& progress = {}, bool silent = false);

}  // namespace heddle::program
