#pragma once

// Parameters that `heddle exec` passes to the CUDA runtime in the program's process (testbench/cudart). They
// are in a file that an environment variable names.

#include <string>

#include "models/core/fields.h"
#include "testbench/run/run_parameters.h"

namespace heddle::program {

/// name of the environment variable that holds the path of the parameters' file
inline constexpr const char* kExecVariable = "HEDDLE_EXEC";

struct ExecParameters {
  /// parameters of the timed launches; without a GPU, no launch is timed
  run::RunParameters run;
  std::string launches;  ///< launches that are timed, in the syntax of launch_selection.h; empty: all
  std::string capture;   ///< absolute path of the folder for captured launches; empty: no capture
  /// Launches that are captured, in the syntax of launch_selection.h; empty: all.
  std::string capture_launches;
  /// Absolute path of the folder in which the runtime leaves its results for `heddle exec`.
  std::string work;
  unsigned process = 0;  ///< index of the process among those that the program starts
  std::string waves;     ///< absolute path of the folder for waveforms; empty: no waveforms
  std::string program;   ///< path of the program `heddle`, next to which its data files are
  /// True: reads just outside of an allocation return padding instead of an error (--lenient).
  bool lenient = false;
  /// Size of device memory (assumed, because presets do not state it: graphics cards of their time have 1.5
  /// to 12 GiB).
  std::uint64_t memory_mib = 4096;

  void fields(FieldVisitor& v) {
    v.group("run", run, "the GPU and how it is watched");
    v.field("launches", launches, {}, "launches that are timed");
    v.field("capture", capture, {}, "folder of captured launches");
    v.field("capture_launches", capture_launches, {}, "launches that are captured");
    v.field("work", work, {}, "folder of the runtime's own files");
    v.field("waves", waves, {}, "folder of waveforms");
    v.field("program", program, {}, "path of heddle");
    v.field("lenient", lenient, "reads just outside of an allocation return its padding");
    v.field("memory_mib", memory_mib, {1, 1 << 18}, "device memory");
  }
  bool timed() const { return !run.gpu.name.empty(); }
};

/// These functions throw Error if the file cannot be written or read.
void write_exec_parameters(ExecParameters parameters, const std::string& file);
ExecParameters read_exec_parameters(const std::string& file);

/// Gives each process of a run its own file names, because a program may start other programs with launches
/// of their own. The first process keeps the names. Each further process appends its number. Throws Error.
void claim_process(ExecParameters& parameters);
/// Returns the path of the table with the launches of a process. Processes are counted from 0.
std::string rows_file(const std::string& work, unsigned process);

}  // namespace heddle::program
