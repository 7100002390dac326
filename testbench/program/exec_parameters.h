#pragma once

// What `heddle exec` tells the CUDA runtime in the process of the program (testbench/cudart): a file, named by an
// environment variable.

#include <string>

#include "models/core/fields.h"
#include "testbench/run/run_parameters.h"

namespace heddle::program {

/// Names the file.
inline constexpr const char* kExecVariable = "HEDDLE_EXEC";

struct ExecParameters {
  run::RunParameters run;        ///< without a launch file; without a GPU nothing is timed
  std::string launches;          ///< which launches are timed (launch_selection.h); empty: all
  std::string capture;           ///< folder that takes captured launches, absolute; empty: none
  std::string capture_launches;  ///< which launches are captured; empty: all
  std::string work;              ///< folder for what passes from the runtime to `heddle exec`, absolute
  unsigned process = 0;          ///< of this run, as they came
  std::string waves;             ///< folder for the waveforms, absolute; empty: none
  std::string program;           ///< path of `heddle`, beside which its data lies
  bool lenient = false;          ///< reads just outside of an allocation give its padding
  std::uint64_t memory_mib =
      4096;  ///< device memory; assumed: presets do not say, cards of their time have 1.5 to 12 GiB

  void fields(FieldVisitor& v) {
    v.group("run", run, "the GPU and how it is watched");
    v.field("launches", launches, {}, "launches that are timed");
    v.field("capture", capture, {}, "folder of captured launches");
    v.field("capture_launches", capture_launches, {}, "launches that are captured");
    v.field("work", work, {}, "folder of the runtime's own files");
    v.field("waves", waves, {}, "folder of waveforms");
    v.field("program", program, {}, "path of heddle");
    v.field("lenient", lenient, "reads just outside of an allocation give its padding");
    v.field("memory_mib", memory_mib, {1, 1 << 18}, "device memory");
  }
  bool timed() const { return !run.gpu.name.empty(); }
};

/// Throws Error if the file cannot be written, or read.
void write_exec_parameters(ExecParameters parameters, const std::string& file);
ExecParameters read_exec_parameters(const std::string& file);

/// A program may start others, and each has launches of its own: the first process of a run keeps the names, others
/// have theirs after a number. Throws Error.
void claim_process(ExecParameters& parameters);
/// The table of the launches of a process, counted from 0.
std::string rows_file(const std::string& work, unsigned process);

}  // namespace heddle::program
