// A plug-in gating policy: a domain sleeps after a fixed number of idle cycles, for at least `naps` cycles.

#include <algorithm>

#include "models/core/registry.h"
#include "models/gating/idle_detect.h"
#include "models/gating/wake_choice.h"

namespace heddle {
namespace {

struct NapParameters {
  int naps = 40;
  void fields(FieldVisitor& v) { v.field("naps", naps, {1, 1000}, "gated cycles at least"); }
};

class ToyNap : public GatingPolicy {
 public:
  ToyNap(const NapParameters& p, Context& context)
      : naps_(static_cast<Cycle>(p.naps)),
        break_even_(static_cast<Cycle>(context.parameters.break_even_cycles)),
        idle_detect_(context.parameters.idle_detect_cycles) {}

  GatingDecision decide(const DomainGroupView& view) override {
    GatingDecision d;
    DomainSet rested = 0;
    for (std::size_t i = 0; i < view.domains.size(); ++i) {
      if (!is_gated(view.domains[i].state)) continue;
      // `since` is the cycle in which the domain entered its present state. At the break-even time, the state
      // changes and the naps_ cycles begin again. A domain thus sleeps for naps_ cycles or longer.
      const Cycle end = view.domains[i].since + naps_ - 1;
      if (view.now >= end)
        rested |= DomainSet{1} << i;
      else
        d.again = std::min(d.again, end);
    }
    d.wake = wanted_of(view, rested);
    sleep_after_idle(view, idle_detect_, d);
    return d;
  }
  int idle_detect_cycles() const override { return idle_detect_; }
  Cycle least_gated_cycles() const override { return naps_; }
  Cycle longest_wait_cycles() const override { return break_even_ + naps_; }

 private:
  Cycle naps_, break_even_;
  int idle_detect_;
};

const Registration<GatingPolicy, ToyNap, NapParameters> toy_gating_entry{"toy-nap",
                                                                         "sleeps when idle, for a while"};

}  // namespace
}  // namespace heddle
