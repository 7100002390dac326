#pragma once

// Executes a program's launches one after another. A launch runs untimed on the reference, or is timed and
// compared with the reference. After each launch, memory contains the correct results.

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/core/error.h"
#include "models/core/memory_image.h"
#include "models/reference/checks.h"
#include "testbench/program/device_memory.h"
#include "testbench/program/exec_parameters.h"
#include "testbench/program/kernel.h"
#include "testbench/program/launch_row.h"
#include "testbench/program/launch_selection.h"
#include "testbench/program/timed_gpu.h"
#include "testbench/run/launch_kinds.h"

namespace heddle::program {

class Capture;

class ShapeError : public Error {
 public:
  using Error::Error;
};

/// Error: the launch has CTAs that do not fit into an empty SM.
class RoomError : public ShapeError {
 public:
  using ShapeError::ShapeError;
};

class ResidenceError : public ShapeError {
 public:
  using ShapeError::ShapeError;
};

class Launcher {
 public:
  /// Prepares to execute a program's launches. Throws Error for parameters that the GPU refuses. Both
  /// arguments must outlive the launcher.
  Launcher(const ExecParameters& parameters, DeviceMemory& memory);
  ~Launcher();

  /// Executes a launch and writes its row, even if the launch fails. All members of `launch` must be set
  /// except program and position. Throws ShapeError (before anything has run), reference::FaultError for a
  /// failing kernel, and Error for an unsupported kernel.
  void launch(Kernel& kernel, isa::KernelLaunch launch);
  /// Records a launch that failed before launch() was called. All members of `row` must be set except the
  /// launch's position.
  void record_failed(LaunchRow row);

  /// Returns the simulated time since the program began. A timed launch adds its cycles. An untimed launch
  /// adds its warp-instructions divided by the number of SMs as cycles (assumed). Copies take no time.
  double time_ms() const { return time_ms_; }
  std::uint64_t launches() const { return launches_; }
  TimedGpu* gpu() { return gpu_.get(); }
  void finish();

 private:
  void execute(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row);
  void prepare_timed(Kernel& kernel, isa::KernelLaunch launch);
  void check_shape(const Kernel& kernel, const isa::KernelLaunch& launch) const;
  void run(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row);
  void run_first_of_kind(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row);
  void find_kind(const isa::KernelLaunch& launch, LaunchRow& row);
  void run_estimated(Kernel& kernel, isa::KernelLaunch launch, LaunchRow& row);
  void run_timed(Kernel& kernel, isa::KernelLaunch launch, LaunchRow& row);
  void run_timed_first(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row);
  bool run_reference(const isa::KernelLaunch& launch, LaunchRow& row, std::uint64_t limit);
  void equate_heap_addresses();
  void compare(const isa::KernelLaunch& launch, LaunchRow& row);
  void find_order_of_atomics(const isa::KernelLaunch& launch, LaunchRow& row);
  void explain(const isa::KernelLaunch& launch, LaunchRow& row);
  void take_findings(LaunchRow& row);
  void take_timed_memory();
  void print(const Kernel& kernel, const isa::KernelLaunch& launch);
  void record(const std::string& line);
  void record_refined();

  const ExecParameters& parameters_;
  DeviceMemory& memory_;
  LaunchSelection selection_;
  std::unique_ptr<TimedGpu> gpu_;
  std::unique_ptr<Capture> capture_;
  std::FILE* rows_ = nullptr;
  /// True if only the first launch of each kind is timed (--launches representatives;
  /// testbench/run/launch_kinds.h).
  bool finds_kinds_ = false;
  run::LaunchKinds kinds_;
  std::vector<std::uint64_t> first_of_kind_;
  std::uint64_t reference_instructions_ = 0,
                reference_segments_ =
                    0;  ///< warp-instructions and memory segments of the reference's last launch
  MemoryImage before_;
  reference::Checks checks_;
  std::uint64_t findings_ = 0;
  std::size_t finding_lines_ = 0;  ///< number of lines of `checks_` that rows already contain
  std::set<std::string> explained_;
  std::uint64_t launches_ = 0;
  double time_ms_ = 0;
};

}  // namespace heddle::program
