// Models naive blackout (Abdel-Majeed 2016, 3.4). A power domain goes to sleep after it has been idle for the
// idle-detect time. The domain cannot wake before the break-even time has passed, even if instructions wait.
// After the break-even time the domain wakes when an instruction needs it.
//
// Assumed, because the paper does not say it: each domain decides separately, even if several units can
// execute an instruction. If the number of instructions that could issue exceeds the number of domains that
// are on or waking up, another domain wakes.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/gating/idle_detect.h"

namespace heddle {
namespace {

class NaiveBlackout : public BlackoutPolicy {
 public:
  NaiveBlackout(const BlackoutParameters& p, Context& context) : BlackoutPolicy(p, context) {}

  GatingDecision decide(const DomainGroupView& view) override {
    GatingDecision d;
    d.wake = wake(view, d);
    sleep_after_idle(view, idle_detect_, d);
    return d;
  }
};

const Registration<GatingPolicy, NaiveBlackout, BlackoutParameters> naive_blackout_entry{
    "naive-blackout", "sleeps when idle, at least for the break-even time"};

const Arrays<GatingPolicy> naive_blackout_arrays{"naive-blackout", {}};

}  // namespace
}  // namespace heddle
