#pragma once

// One kernel launch: what a host program passes to the device.

#include <cstdint>
#include <memory>
#include <vector>

#include "models/core/ids.h"
#include "models/isa/program.h"

namespace heddle::isa {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct KernelLaunch {
  KernelId id{};  ///< position in the run, also %gridid
  std::shared_ptr<const Program> program;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  ///< parameter block, program->parameter_bytes long

  std::uint32_t threads_per_cta() const { return block.x * block.y * block.z; }
  std::uint32_t warps_per_cta() const { return (threads_per_cta() + 31) / 32; }
  /// Static shared memory, then dynamic memory from the next multiple of 16.
  std::uint32_t shared_bytes() const {
    const std::uint32_t fixed = (program->shared_bytes + 15u) / 16u * 16u;
    return dynamic_shared_bytes ? fixed + dynamic_shared_bytes : program->shared_bytes;
  }
};

}  // namespace heddle::isa
