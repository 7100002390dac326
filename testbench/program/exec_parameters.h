#pragma once

// Parameters that `heddle exec` passes to the CUDA runtime in the program's process (testbench/cudart). They
// are in a file that an environment variable names.

#include <string>

#include "models/core/fields.h"
#include "testbench/run/run_parameters.h"

namespace heddle::program {

/// The environment variable.
inline constexpr const char* kExecVariable = "HEDDLE_EXEC";

struct ExecParameters {
  /// Parameters of the timed runs, without a launch file. Without a GPU, no launch is timed.
  run::RunParameters run;
  std::string launches;          ///< selection of timed launches (launch_selection.h); empty: all
  std::string capture;           ///< absolute folder for captured launches; empty: none
  std::string capture_launches;  ///< selection of captured launches; empty: all
  std::string work;              ///< absolute folder for files from the runtime to `heddle exec`
  unsigned process = 0;          ///< number of the process in this run, in the order of their starts
  std::string waves;             ///< absolute folder for waveforms; empty: none
  std::string program;           ///< path of `heddle`, next to which its data is
  bool lenient = false;  ///< True: reads just outside of an allocation return the allocation's padding.
  /// Device memory; assumed, because presets do not give it: cards of their time have 1.5 to 12 GiB.
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
/// Returns the file for the table of launches of a process, counted from 0.
std::string rows_file(const std::string& work, unsigned process);

}  // namespace heddle::program
