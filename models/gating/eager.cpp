// Models eager gating (Abdel-Majeed 2016, 4.3.3), which extends another gating policy. During warp folding,
// the upper lanes of every quad (4 lanes) are unused for a long time. Eager gating puts these lanes to sleep
// in their first idle cycle. The extended policy makes all other decisions.
//
// Assumed, because the paper does not say it: a domain that an instruction needs stays on, even if folding
// does not use its lanes.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/gating/i_gating_policy.h"

namespace heddle {
namespace {

struct EagerParameters {
  ConfigNode base = ConfigNode::make_string("conventional");
  void fields(FieldVisitor& v) {
    v.choice("base", base, "gating policy", "policy for lanes that are not spared");
  }
};

class Eager : public GatingPolicy {
 public:
  Eager(const EagerParameters& p, Context& context)
      : base_(Registry<GatingPolicy>::instance().make(p.base, context)) {}

  GatingDecision decide(const DomainGroupView& view) override {
    GatingDecision d = base_->decide(view);
    d.sleep |= view.spared & ~view.wanted & view.idle();
    return d;
  }

  DomainSet may_wake(const DomainGroupView& view, Cycle& again) const override {
    return base_->may_wake(view, again);
  }
  void begin(Cycle now) override { base_->begin(now); }
  const char* refuses(DomainKind kind) const override { return base_->refuses(kind); }
  bool never_gates() const override { return base_->never_gates(); }
  int idle_detect_cycles() const override { return base_->idle_detect_cycles(); }
  bool wakes_at_break_even() const override { return base_->wakes_at_break_even(); }
  void set_idle_detect(int cycles) override { base_->set_idle_detect(cycles); }
  Cycle least_gated_cycles() const override { return base_->least_gated_cycles(); }
  Cycle longest_wait_cycles() const override { return base_->longest_wait_cycles(); }

 private:
  std::unique_ptr<GatingPolicy> base_;
};

const Registration<GatingPolicy, Eager, EagerParameters> eager_entry{
    "eager", "another policy; lanes that folding spares sleep at their first idle cycle"};

const Arrays<GatingPolicy> eager_arrays{"eager", {}};

}  // namespace
}  // namespace heddle
