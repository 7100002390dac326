#pragma once

// Sorts launches into kinds. Launches of one kind have the same kernel, grid and block. Their numbers of
// warp-instructions and of global memory segments differ by at most 10 % from the numbers of the kind's first
// launch (assumed).

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/launch.h"

namespace heddle::run {

class LaunchKinds {
 public:
  /// Returns the launch's kind, numbered from 0. A launch that fits no kind starts a new one.
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
