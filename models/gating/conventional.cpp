// Models conventional power gating (Abdel-Majeed 2016, 2.3, Fig. 2.5c). A power domain goes to sleep after it
// has been idle for the idle-detect time. The domain wakes as soon as an instruction needs it, even before the
// break-even time has passed.
//
// Assumed, because the paper does not say it: each domain decides separately, even if several units can
// execute an instruction. If the number of instructions that could issue exceeds the number of domains that
// are on or waking up, another domain wakes.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/gating/idle_detect.h"

namespace heddle {
namespace {

class Conventional : public IdleDetectPolicy {
 public:
  Conventional(const WakeParameters& p, Context& context) : IdleDetectPolicy(context), wait_(p) {}

  GatingDecision decide(const DomainGroupView& view) override {
    GatingDecision d;
    d.wake = wanted_of(view, ~DomainSet{0}, wait_.demand(view, d));
    sleep_after_idle(view, idle_detect_, d);
    return d;
  }
  DomainSet may_wake(const DomainGroupView& view, Cycle& again) const override {
    return wait_.open(view, GatingPolicy::may_wake(view, again), again);
  }
  void begin(Cycle) override { wait_.begin(); }

 private:
  SiblingWait wait_;
};

const Registration<GatingPolicy, Conventional, WakeParameters> conventional_entry{
    "conventional", "sleeps when idle, wakes when needed"};

const Arrays<GatingPolicy> conventional_arrays{"conventional", {}};

}  // namespace
}  // namespace heddle
