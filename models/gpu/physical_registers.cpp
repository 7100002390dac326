// Where physical registers are given out as they are written, and are fewer than CTAs are admitted by
// (001, 8.1): a CTA that may need more of a bank than there is could never be sure to end, on whatever warp
// slots it lies; where warps' registers can be written out to memory, one warp that may.

#include <fmt/format.h>

#include <algorithm>

#include "models/core/registry.h"
#include "models/gpu/i_cta_admission.h"
#include "models/sm/register_fit.h"

namespace heddle {
namespace {

class PhysicalRegisters : public CtaAdmission {
 public:
  PhysicalRegisters(const NoParameters&, Context&) {}

  int room(const SmResources& free, const isa::KernelLaunch& launch) const override {
    const Shape shape{launch.program->registers, launch.warps_per_cta()};
    if (!(shape == known_)) {
      fits_ = registers_fit(free, shape.registers, free.spills ? 1 : shape.warps);
      known_ = shape;
    }
    return fits_ ? free.ctas : 0;
  }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const override {
    int most = 0;
    for (const RegisterClaims* claims : capacity.partition_claims)
      if (claims)
        for (const int entries : claims->capacity()) most = std::max(most, entries);
    return fmt::format("{} registers for {} at a time, more than some bank of {} physical registers holds",
                       launch.program->registers,
                       capacity.spills ? "one warp" : fmt::format("each of {} warps", launch.warps_per_cta()),
                       most);
  }

 private:
  struct Shape {
    std::uint32_t registers = 0, warps = 0;
    bool operator==(const Shape&) const = default;
  };

  mutable Shape known_;
  mutable bool fits_ = true;
};

const Registration<CtaAdmission, PhysicalRegisters> physical_registers_entry{
    "physical-registers",
    "a CTA's registers fit into the banks, where these hold less than CTAs are admitted by",
    {.after = {"warps", "ctas", "registers", "shared-memory"}}};

}  // namespace
}  // namespace heddle
