#pragma once

// Captures launches of a program (heddle exec --capture). Each captured launch gets a folder with a launch
// file that `heddle run --launch` can repeat (docs/programs.md).

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
  /// Throws Error if the folder cannot be created or holds another capture. Both arguments must outlive the
  /// capture.
  Capture(const ExecParameters& parameters, DeviceMemory& memory);
  ~Capture();

  bool selects_representatives() const;
  /// Stores the memory before a launch that is or may be captured. Sets row.captured to the launch's folder.
  void before(LaunchRow& row, const Kernel& kernel, const isa::KernelLaunch& launch);
  /// Drops the stored memory, because the launch is not the first of its kind.
  void drop(LaunchRow& row);
  void after(const LaunchRow& row);

 private:
  class Store;
  std::unique_ptr<Store> store_;
};

}  // namespace heddle::program
