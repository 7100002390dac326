// Models adaptive idle-detect (Abdel-Majeed 2016, 3.4.1), which adjusts the idle-detect time of another gating
// policy. A wake-up is critical if it comes in the first cycle after the break-even time, because an
// instruction had been waiting for the domain. If an epoch has more critical wake-ups than the threshold, the
// idle-detect time grows by one cycle. If the idle-detect time has not grown for calm_epochs consecutive
// epochs, it shrinks by one cycle. Each group of power domains (the units of one class in a partition) adapts
// separately.
//
// The paper does not define these rules of the model:
// - Epochs are counted from the start of a kernel. The next kernel starts with the current idle-detect time.
// - A new idle-detect time holds from the first cycle of the new epoch on.
// - After each change of the idle-detect time, calm epochs are counted from 0.

#include <fmt/format.h>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/gating/i_gating_policy.h"

namespace heddle {
namespace {

struct AdaptiveParameters {
  ConfigNode base = ConfigNode::make_string("coordinated-blackout");
  int epoch_cycles = 1000;
  int threshold = 5;
  int calm_epochs = 4;
  int lowest = 5;
  int highest = 10;
  void fields(FieldVisitor& v) {
    v.choice("base", base, "gating policy", "the policy whose idle-detect time is adapted");
    v.field("epoch_cycles", epoch_cycles, {1, 1000000}, "length of an epoch (Abdel-Majeed 2016, 3.4.1)");
    v.field("threshold", threshold, {0, 65535},
            "critical wake-ups of an epoch above which idle-detect goes up (Abdel-Majeed 2016, 3.4.1)");
    v.field("calm_epochs", calm_epochs, {1, 255},
            "epochs in a row, not above the threshold, after which idle-detect goes down (Abdel-Majeed 2016, "
            "3.4.1)");
    v.field("lowest", lowest, {0, 1023}, "lower bound of idle-detect in cycles (Abdel-Majeed 2016, 3.4.1)");
    v.field("highest", highest, {0, 1023}, "upper bound of idle-detect in cycles (Abdel-Majeed 2016, 3.4.1)");
  }
};

class Adaptive : public GatingPolicy {
 public:
  Adaptive(const AdaptiveParameters& p, Context& context)
      : p_(p),
        base_(Registry<GatingPolicy>::instance().make(p.base, context)),
        idle_detect_(context.parameters.idle_detect_cycles),
        epoch_end_(length()) {
    if (idle_detect_ < p.lowest || idle_detect_ > p.highest)
      throw Error(p.base.where(),
                  fmt::format("adaptive: idle_detect_cycles {} is out of bounds", idle_detect_),
                  fmt::format("lowest {} .. highest {}", p.lowest, p.highest));
    base_->set_idle_detect(idle_detect_);
  }

  void begin(Cycle now) override {
    if (begun_) end_epochs_before(now);
    begun_ = true;
    critical_ = calm_ = 0;
    epoch_end_ = now + length();
    base_->begin(now);
  }

  GatingDecision decide(const DomainGroupView& view) override {
    end_epochs_before(view.now);
    GatingDecision d = base_->decide(view);
    for (std::size_t i = 0; i < view.domains.size(); ++i) {
      const DomainView& domain = view.domains[i];
      if (!(d.wake >> i & 1)) continue;
      if (base_->wakes_at_break_even() ? domain.state == PowerState::uncompensated
                                       : domain.state == PowerState::compensated && domain.since == view.now)
        ++critical_;
    }
    d.again = std::min(d.again, epoch_end_);
    return d;
  }

  DomainSet may_wake(const DomainGroupView& view, Cycle& again) const override {
    return base_->may_wake(view, again);
  }
  const char* refuses(DomainKind kind) const override { return base_->refuses(kind); }
  bool never_gates() const override { return base_->never_gates(); }
  int idle_detect_cycles() const override { return idle_detect_; }
  void set_idle_detect(int cycles) override { base_->set_idle_detect(idle_detect_ = cycles); }
  bool wakes_at_break_even() const override { return base_->wakes_at_break_even(); }
  Cycle least_gated_cycles() const override { return base_->least_gated_cycles(); }
  Cycle longest_wait_cycles() const override { return base_->longest_wait_cycles(); }

 private:
  Cycle length() const { return static_cast<Cycle>(p_.epoch_cycles); }

  void end_epochs_before(Cycle now) {
    if (now >= epoch_end_) end_epochs(1 + (now - epoch_end_) / length());
  }

  void end_epochs(Cycle count) {
    epoch_end_ += count * length();
    if (critical_ > p_.threshold) {
      idle_detect_ = std::min(idle_detect_ + 1, p_.highest);
      calm_ = 0;
      --count;
    }
    critical_ = 0;
    const Cycle calm = calm_ + count, every = static_cast<Cycle>(p_.calm_epochs);
    const Cycle down = std::min(calm / every, static_cast<Cycle>(std::max(0, idle_detect_ - p_.lowest)));
    idle_detect_ -= static_cast<int>(down);
    calm_ = calm % every;
    base_->set_idle_detect(idle_detect_);
  }

  AdaptiveParameters p_;
  std::unique_ptr<GatingPolicy> base_;
  int idle_detect_;
  bool begun_ = false;
  Cycle epoch_end_;
  int critical_ = 0;
  Cycle calm_ = 0;
};

const Registration<GatingPolicy, Adaptive, AdaptiveParameters> adaptive_entry{
    "adaptive", "another policy, with an idle-detect time that follows the critical wake-ups"};

const Arrays<GatingPolicy> adaptive_arrays{"adaptive", {}};

}  // namespace
}  // namespace heddle
