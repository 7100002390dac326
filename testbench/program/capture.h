#pragma once

// Captured launches: each a folder with a launch file that `heddle run --launch` repeats (docs/programs.md).

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
  /// Throws Error if the folder cannot be made, or holds another capture. Both must outlive the capture.
  Capture(const ExecParameters& parameters, DeviceMemory& memory);
  ~Capture();

  bool asks_for_representatives() const;
  /// Keeps the memory that the launch finds, if it is to be captured, or may be; row.captured then names its folder.
  void before(LaunchRow& row, const Kernel& kernel, const isa::KernelLaunch& launch);
  /// What before() has kept for a launch that may be captured is dropped: it is not the first of its kind.
  void drop(LaunchRow& row);
  /// Writes the launch's folder, with the memory that it left.
  void after(const LaunchRow& row);

 private:
  class Store;
  std::unique_ptr<Store> store_;
};

}  // namespace heddle::program
