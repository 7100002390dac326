// Constraints that limit the CTAs of an SM by warp slots, CTA slots, registers and shared memory.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/core/registry.h"
#include "models/gpu/i_cta_admission.h"
#include "models/memory/shared_memory.h"

namespace heddle {
namespace {

class WarpAdmission : public CtaAdmission {
 public:
  WarpAdmission(const NoParameters&, Context&) {}
  int room(const SmResources& free, const isa::KernelLaunch& launch) const override {
    return std::min(free.warps / static_cast<int>(launch.warps_per_cta()),
                    free.threads / static_cast<int>(launch.threads_per_cta()));
  }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const override {
    return fmt::format("{} warps with {} threads, an SM holds {} warps and {} threads",
                       launch.warps_per_cta(), launch.threads_per_cta(), capacity.warps, capacity.threads);
  }
};

class CtaSlotAdmission : public CtaAdmission {
 public:
  CtaSlotAdmission(const NoParameters&, Context&) {}
  int room(const SmResources& free, const isa::KernelLaunch&) const override { return free.ctas; }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch&) const override {
    return fmt::format("one CTA slot of {}", capacity.ctas);
  }
};

// Limits the CTAs of an SM by registers. Adds up the number of warps that fit in each partition, because a
// warp may use any partition with enough registers.
class RegisterAdmission : public CtaAdmission {
 public:
  RegisterAdmission(const NoParameters&, Context&) {}
  int room(const SmResources& free, const isa::KernelLaunch& launch) const override {
    const std::uint32_t registers = launch.program->registers;
    if (registers == 0) return free.ctas;
    int warps = 0;
    for (std::size_t p = 0; p < free.partition_registers.size(); ++p)
      warps += std::min(free.partition_warps[p], static_cast<int>(free.partition_registers[p] / registers));
    return warps / static_cast<int>(launch.warps_per_cta());
  }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const override {
    const std::uint32_t total =
        std::accumulate(capacity.partition_registers.begin(), capacity.partition_registers.end(), 0u);
    return fmt::format("{} registers for each of {} warps, an SM has {} warp-wide registers",
                       launch.program->registers, launch.warps_per_cta(), total);
  }
};

class SharedMemoryAdmission : public CtaAdmission {
 public:
  SharedMemoryAdmission(const NoParameters&, Context&) {}
  int room(const SmResources& free, const isa::KernelLaunch& launch) const override {
    const std::uint32_t bytes = SharedMemory::granted_bytes(launch.shared_bytes());
    return bytes == 0 ? free.ctas : static_cast<int>(free.shared_bytes / bytes);
  }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const override {
    return fmt::format("{} bytes of shared memory, an SM has {}", launch.shared_bytes(),
                       capacity.shared_bytes);
  }
};

const Registration<CtaAdmission, WarpAdmission> admits_warps{"warps", "warp slots and threads"};
const Registration<CtaAdmission, CtaSlotAdmission> admits_ctas{"ctas", "CTA slots"};
const Registration<CtaAdmission, RegisterAdmission> admits_registers{"registers", "register file entries"};
const Registration<CtaAdmission, SharedMemoryAdmission> admits_shared{"shared-memory",
                                                                      "bytes of shared memory"};

}  // namespace
}  // namespace heddle
