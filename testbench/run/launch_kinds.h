#pragma once

// Launches that are alike: of one kernel, grid and block, whose counts of warp-instructions and of segments of global
// memory are within 10 % of those of the first of them (assumed).

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/launch.h"

namespace heddle::run {

class LaunchKinds {
 public:
  /// Which kind a launch is, counted from 0. The first of its kind makes a new one, numbered size() before the call.
  std::size_t of(const isa::KernelLaunch& launch, std::uint64_t instructions, std::uint64_t segments);
  std::size_t size() const { return kinds_.size(); }

 private:
  struct Kind {
    std::string kernel;
    isa::Dim3 grid, block;
    std::uint64_t instructions = 0, segments = 0;
  };
  std::vector<Kind> kinds_;
};

}  // namespace heddle::run
