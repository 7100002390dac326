#pragma once

// Parameters that `heddle exec` passes to the CUDA runtime in the program's process. They are stored in a
// file, whose path is in an environment variable.

#include <string>

#include "models/core/fields.h"
#include "testbench/run/run_parameters.h"
#include "testbench/view/view_parameters.h"

namespace heddle::program {

/// environment variable with the path of the parameters' file
inline constexpr const char* kExecVariable = "HEDDLE_EXEC";

struct ExecParameters {
  /// parameters of timed launches; if they have no GPU, no launch is timed
  run::RunParameters run;
  std::string launches;  ///< selects the timed launches (launch_selection.h); empty: all
  std::string capture;   ///< absolute path of the folder for captured launches; empty: no capture
  /// selects the captured launches (launch_selection.h); empty: all
  std::string capture_launches;
  /// absolute path of the folder for the runtime's results
  std::string work;
  unsigned process = 0;
  std::string waves;  ///< absolute path of the folder for waveforms; empty: no waveforms
  view::ViewParameters
      view;  ///< records the first process's first timed launch; without a file name, records nothing
  std::string program;  ///< path of `heddle`; its data files are next to it
  /// If true, reads just outside of an allocation return padding and are no error (--lenient).
  bool lenient = false;
  /// Size of device memory in MiB. Assumed, because presets do not state it. Graphics cards of the presets'
  /// time have 1.5 to 12 GiB.
  std::uint64_t memory_mib = 4096;

  void fields(FieldVisitor& v) {
    v.group("run", run, "the GPU and how it is watched");
    v.field("launches", launches, {}, "launches that are timed");
    v.field("capture", capture, {}, "folder of captured launches");
    v.field("capture_launches", capture_launches, {}, "launches that are captured");
    v.field("work", work, {}, "folder of the runtime's own files");
    v.field("waves", waves, {}, "folder of waveforms");
    v.group("view", view, "recording for the page of heddle view");
    v.field("program", program, {}, "path of heddle");
    v.field("lenient", lenient, "reads just outside of an allocation return its padding");
    v.field("memory_mib", memory_mib, {1, 1 << 18}, "device memory");
  }
  bool timed() const { return !run.gpu.name.empty(); }
};

void write_exec_parameters(ExecParameters parameters, const std::string& file);
ExecParameters read_exec_parameters(const std::string& file);

/// Gives this process a number, because a program may start other programs that also launch kernels. The
/// first process keeps the folders of captures and waveforms. Process n uses the subfolders process-n of
/// these folders, and records no page for `heddle view`. Throws Error if the process's table of launches
/// cannot be created.
void claim_process(ExecParameters& parameters);
/// Returns the path of a process's table of launches. Processes are counted from 0.
std::string rows_file(const std::string& work, unsigned process);

}  // namespace heddle::program
