#include "testbench/run/launch_kinds.h"

#include <algorithm>
#include <cmath>

namespace heddle::run {
namespace {

constexpr double kAlike = 0.1;

bool alike(std::uint64_t a, std::uint64_t b) {
  const auto x = static_cast<double>(a), y = static_cast<double>(b);
  return std::abs(x - y) <= kAlike * std::max(x, y);
}

}  // namespace

std::size_t LaunchKinds::of(const isa::KernelLaunch& launch, std::uint64_t instructions,
                            std::uint64_t segments) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const Kind& kind = kinds_[i];
    if (kind.kernel == launch.program->kernel && kind.grid == launch.grid && kind.block == launch.block &&
        alike(kind.instructions, instructions) && alike(kind.segments, segments))
      return i;
  }
  kinds_.push_back({launch.program->kernel, launch.grid, launch.block, instructions, segments});
  return kinds_.size() - 1;
}

}  // namespace heddle::run
