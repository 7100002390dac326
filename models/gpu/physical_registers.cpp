// CTA admission for SMs that allocate a physical register at its first write (Jeon 2015, 8.1). Such an SM has
// fewer registers than its resident CTAs may need. A CTA is refused if its registers might not fit in a bank,
// because the CTA might then wait for a register forever. If registers of warps can be spilled to memory,
// only the registers of one warp must fit.

#include <fmt/format.h>

#include <algorithm>

#include "models/core/registry.h"
#include "models/gpu/i_cta_admission.h"
#include "models/scheduler/constraints/register_fit.h"

namespace heddle {
namespace {

class PhysicalRegisters : public CtaAdmission {
 public:
  PhysicalRegisters(const NoParameters&, Context&) {}

  int room(const SmResources& free, const isa::KernelLaunch& launch) const override {
    const Shape shape{launch.program->registers, launch.warps_per_cta(), launch.cooperative};
    if (!(shape == known_)) {
      fits_ = launch.cooperative ? together(free, shape)
              : registers_fit(free.holdings, free.partition_slots, shape.registers,
                              free.may_hold ? 1 : shape.warps)
                  ? free.ctas
                  : 0;
      known_ = shape;
    }
    return launch.cooperative ? fits_ : fits_ > 0 ? free.ctas : 0;
  }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const override {
    int most = 0;
    for (const RegisterClaims* claims : capacity.holdings)
      if (claims)
        for (const int entries : claims->capacity()) most = std::max(most, entries);
    return fmt::format(
        "{} registers for {} at a time, more than some bank of {} physical registers holds",
        launch.program->registers,
        capacity.may_hold ? "one warp" : fmt::format("each of {} warps", launch.warps_per_cta()), most);
  }

 private:
  struct Shape {
    std::uint32_t registers = 0, warps = 0;
    bool cooperative = false;
    bool operator==(const Shape&) const = default;
  };

  /// Returns the number of CTAs that can be resident while every warp holds all its registers. This number
  /// limits a cooperative launch. Spilling does not raise the limit: a warp at a grid barrier reads memory in a
  /// loop, so that the SM treats it as active and never spills its registers.
  static int together(const SmResources& free, const Shape& shape) {
    int ctas = free.ctas;
    while (ctas > 0 && !registers_fit(free.holdings, free.partition_slots, shape.registers,
                                      shape.warps * static_cast<std::uint32_t>(ctas)))
      --ctas;
    return ctas;
  }

  mutable Shape known_;
  mutable int fits_ = 1;
};

const Registration<CtaAdmission, PhysicalRegisters> physical_registers_entry{
    "physical-registers",
    "a CTA's registers fit in the banks, for banks with fewer physical registers than admitted CTAs may use",
    {.after = {"warps", "ctas", "registers", "shared-memory"}}};

}  // namespace
}  // namespace heddle
