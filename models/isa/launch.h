#pragma once

// One kernel launch: kernel, grid and CTA dimensions, and parameters.

#include <cstdint>
#include <memory>
#include <vector>

#include "models/core/ids.h"
#include "models/isa/machine_reads.h"
#include "models/isa/program.h"

namespace heddle::isa {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// Largest number of CTAs in a grid. CTAs have 32-bit numbers.
inline constexpr std::uint64_t kMostCtas = 0xffffffff;

struct KernelLaunch {
  KernelId id{};
  std::shared_ptr<const Program> program;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
  /// True for a cooperative launch: all CTAs are resident at the same time and may wait for each other.
  bool cooperative = false;
  /// Values of clocks and of placement (SM, warp slot) that the timed run records for the untimed reference.
  /// nullptr: the reference uses its own clock and placement.
  std::shared_ptr<MachineReads> reads;

  std::uint32_t threads_per_cta() const { return block.x * block.y * block.z; }
  std::uint32_t warps_per_cta() const { return (threads_per_cta() + 31) / 32; }
  /// Value of the special register %envreg<index>. In a cooperative launch, registers 1 and 2 hold the high
  /// and the low word of the address of the grid barrier's workspace. All other values are 0.
  std::uint32_t environment(std::uint8_t index) const {
    if (!cooperative) return 0;
    return index == 1   ? static_cast<std::uint32_t>(program->grid_workspace >> 32)
           : index == 2 ? static_cast<std::uint32_t>(program->grid_workspace)
                        : 0;
  }
  /// Shared memory of a CTA in bytes: static shared memory, then dynamic shared memory from the next multiple
  /// of 16 on.
  std::uint32_t shared_bytes() const {
    const std::uint32_t fixed = (program->shared_bytes + 15u) / 16u * 16u;
    return dynamic_shared_bytes ? fixed + dynamic_shared_bytes : program->shared_bytes;
  }
};

}  // namespace heddle::isa
