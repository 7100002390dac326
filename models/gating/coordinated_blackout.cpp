// Models coordinated blackout (Abdel-Majeed 2016, 3.4). In this gating policy, a power domain also considers
// its siblings (the domains of units that can execute the same instruction) and the active warps that wait
// for such a unit:
// - If no sibling is gated, a domain goes to sleep after the idle-detect time.
// - If a sibling is gated and no warp waits, an unused domain goes to sleep at once.
// - If a sibling is gated and a warp waits, the last domain that is on stays on.
//
// A domain wakes when an instruction needs it, but only after the break-even time.
//
// The paper does not define these rules of the model:
// - If two domains reach the idle-detect time in the same cycle while a warp waits, only the domain with the
//   lower number goes to sleep. The paper requires that "at least one of the two clusters will be always on
//   whenever there is a warp". A domain that is waking up does not count as on.
// - With more than two clusters and a waiting warp, one domain per cycle goes to sleep after the idle-detect
//   time, until only one domain is on.
// - The waiting warps are counted in the cycle of the decision. The blackout begins in the next cycle.

#include <bit>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/gating/idle_detect.h"

namespace heddle {
namespace {

class CoordinatedBlackout : public BlackoutPolicy {
 public:
  CoordinatedBlackout(const BlackoutParameters& p, Context& context) : BlackoutPolicy(p, context) {}

  GatingDecision decide(const DomainGroupView& view) override {
    const bool some_gated =
        view.in_state(PowerState::compensated) || view.in_state(PowerState::uncompensated);
    GatingDecision d;
    d.wake = wake(view, d);
    sleep_after_idle(view, view.waiting == 0 && some_gated ? 0 : idle_detect_, d);
    if (view.waiting > 0)
      d.sleep = std::popcount(view.in_state(PowerState::on)) > 1 ? d.sleep & (~d.sleep + 1) : 0;
    return d;
  }
  const char* refuses(DomainKind kind) const override {
    return kind == DomainKind::parts ? "it keeps one sibling on for all waiting instructions, but a part "
                                       "serves only instructions that need this part"
                                     : nullptr;
  }
};

const Registration<GatingPolicy, CoordinatedBlackout, BlackoutParameters> coordinated_blackout_entry{
    "coordinated-blackout", "blackout; one sibling stays on while active warps wait for the class"};

const Arrays<GatingPolicy> coordinated_blackout_arrays{"coordinated-blackout", {}};

}  // namespace
}  // namespace heddle
