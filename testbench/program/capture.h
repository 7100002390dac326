#pragma once

// Captures launches of a program (heddle exec --capture). Each captured launch gets its own folder with a
// launch file. `heddle run --launch` can then repeat the launch (docs/programs.md).

#include <memory>

#include "models/isa/launch.h"
#include "testbench/program/device_memory.h"
#include "testbench/program/exec_parameters.h"
#include "testbench/program/kernel.h"
#include "testbench/program/launch_row.h"
#include "testbench/program/launch_selection.h"

namespace heddle::program {

class Capture {
 public:
  /// Begins a capture in the folder that `parameters` name. Throws Error if the folder cannot be created or
  /// holds another capture. Both arguments must outlive the capture.
  Capture(const ExecParameters& parameters, DeviceMemory& memory);
  ~Capture();

  bool selects_representatives() const;
  /// Stores the contents of memory before a launch that may be captured. If only representatives are captured
  /// (one launch of each kind), the launch's kind is known only after the launch. Sets row.captured to the
  /// folder of this launch.
  void before(LaunchRow& row, const Kernel& kernel, const isa::KernelLaunch& launch);
  /// Removes the memory that before() has stored. Call if the launch is not captured, because an earlier
  /// launch had the same kernel and a similar amount of work (LaunchKinds).
  void drop(LaunchRow& row);
  void after(const LaunchRow& row);

 private:
  class Store;
  std::unique_ptr<Store> store_;
};

}  // namespace heddle::program
