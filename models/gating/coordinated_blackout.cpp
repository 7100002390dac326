// Coordinated blackout (Abdel-Majeed 2016, 3.4): blackout in which siblings look at each other and at the
// active warps that wait for the class.
//   - no sibling gated: idle-detect, as in naive blackout;
//   - a sibling gated, no warp waits: what is not in use goes at once, even before idle-detect;
//   - a sibling gated, a warp waits: the last one that is on stays on, however long it is idle.
// Waking is as in naive blackout: only from the compensated state, when an instruction needs it.
//
// Left open by the paper, and settled so:
//   - Two that reach idle-detect in the same cycle while a warp waits: the one with the lower number goes, in
//     this decision no other. "At least one of the two clusters will be always on whenever there is a warp":
//     a domain goes only if another one stays that is on (one that is waking up does not count). A lone
//     domain never goes while a warp waits.
//   - More than two clusters: while a warp waits, further ones go by idle-detect, one a decision, down to the
//     last that is on.
//   - "Waiting" is what was counted in the cycle in which the decision falls; the blackout begins with the
//     next one.

#include <bit>

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
    return kind == DomainKind::parts
               ? "it keeps one sibling on for all that waits, and a part serves only what needs that part"
               : nullptr;
  }
};

const Registration<GatingPolicy, CoordinatedBlackout, BlackoutParameters> coordinated_blackout_entry{
    "coordinated-blackout", "blackout; one sibling stays on while active warps wait for the class"};

}  // namespace
}  // namespace heddle
