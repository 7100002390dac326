// Where physical registers are given out as they are written, and are fewer than CTAs are admitted by
// (001, 8.1): a CTA that may need more of a bank than there is could never be sure to end, on whatever warp
// slots it lies.

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "models/core/registry.h"
#include "models/gpu/i_cta_admission.h"

namespace heddle {
namespace {

class PhysicalRegisters : public CtaAdmission {
 public:
  PhysicalRegisters(const NoParameters&, Context&) {}

  int room(const SmResources& free, const isa::KernelLaunch& launch) const override {
    const Shape shape{launch.program->registers, launch.warps_per_cta()};
    if (!(shape == known_)) {
      fits_ = fits(free, shape);
      known_ = shape;
    }
    return fits_ ? free.ctas : 0;
  }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const override {
    int most = 0;
    for (const RegisterClaims* claims : capacity.partition_claims)
      if (claims)
        for (const int entries : claims->capacity()) most = std::max(most, entries);
    return fmt::format(
        "{} registers for each of {} warps at a time, more than some bank of {} physical registers holds",
        launch.program->registers, launch.warps_per_cta(), most);
  }

 private:
  struct Shape {
    std::uint32_t registers = 0, warps = 0;
    bool operator==(const Shape&) const = default;
  };

  // The most that the CTA's warps can need of a pool, on the slots where they need most of it.
  static bool fits(const SmResources& sm, const Shape& shape) {
    for (std::size_t p = 0; p < sm.partition_claims.size(); ++p) {
      if (!sm.partition_claims[p]) continue;
      const RegisterClaims& claims = *sm.partition_claims[p];
      std::vector<std::vector<int>> needs(claims.capacity().size());
      for (const WarpId warp : sm.partition_slots[p]) {
        std::vector<int> need(needs.size());
        for (std::uint32_t r = 0; r < shape.registers; ++r) ++need[claims.pool_of(warp, RegId(r))];
        for (std::size_t pool = 0; pool < need.size(); ++pool) needs[pool].push_back(need[pool]);
      }
      for (std::size_t pool = 0; pool < needs.size(); ++pool) {
        std::sort(needs[pool].begin(), needs[pool].end(), std::greater<>());
        int most = 0;
        for (std::size_t w = 0; w < std::min<std::size_t>(shape.warps, needs[pool].size()); ++w)
          most += needs[pool][w];
        if (most > claims.capacity()[pool]) return false;
      }
    }
    return true;
  }

  mutable Shape known_;
  mutable bool fits_ = true;
};

const Registration<CtaAdmission, PhysicalRegisters> physical_registers_entry{
    "physical-registers",
    "a CTA's registers fit into the banks, where these hold less than CTAs are admitted by"};

}  // namespace
}  // namespace heddle
