#pragma once

// One kernel launch, as a host program passes it to the device.

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

inline constexpr std::uint64_t kMostCtas = 0xffffffff;  ///< of a grid; CTAs have 32-bit numbers

struct KernelLaunch {
  KernelId id{};  ///< position in the run; also the value of %gridid
  std::shared_ptr<const Program> program;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  ///< parameter block; program->parameter_bytes long
  /// Cooperative launch: all CTAs are resident at once and may wait for each other. %envreg1 and %envreg2
  /// hold the address of the grid barrier's workspace.
  bool cooperative = false;
  /// Recorded by timed SMs, taken by the reference; nullptr: the reference has clocks and places of its own.
  std::shared_ptr<MachineReads> reads;

  std::uint32_t threads_per_cta() const { return block.x * block.y * block.z; }
  std::uint32_t warps_per_cta() const { return (threads_per_cta() + 31) / 32; }
  /// Returns the value of %envreg<index>. In a cooperative launch registers 1 and 2 hold the high and the low
  /// word of the workspace's address. All others are 0.
  std::uint32_t environment(std::uint8_t index) const {
    if (!cooperative) return 0;
    return index == 1   ? static_cast<std::uint32_t>(program->grid_workspace >> 32)
           : index == 2 ? static_cast<std::uint32_t>(program->grid_workspace)
                        : 0;
  }
  /// Returns the size in bytes of a CTA's shared memory: static memory, then dynamic memory from the next
  /// multiple of 16.
  std::uint32_t shared_bytes() const {
    const std::uint32_t fixed = (program->shared_bytes + 15u) / 16u * 16u;
    return dynamic_shared_bytes ? fixed + dynamic_shared_bytes : program->shared_bytes;
  }
};

}  // namespace heddle::isa
