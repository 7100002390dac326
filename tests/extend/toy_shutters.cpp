// A plug-in register stage with four power domains, each for a quarter of the registers. It refuses an access
// to a sleeping domain and wakes the domain. The configuration names the gating policy.

#include "models/core/registry.h"
#include "models/ports/power_domains.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

struct ShutterParameters {
  DomainGroupParameters gating;
  void fields(FieldVisitor& v) {
    v.group("gating", gating, "the shutters: parts, each for a quarter of the registers");
  }
};

class Shutters : public PassingStage {
 public:
  Shutters(const ShutterParameters& p, Context& context)
      : PassingStage(context),
        refusals_(context.stats.add("refusals", "accesses", "accesses that found their shutter closed")) {
    if (context.services.power)
      domains_ =
          &context.services.power->make({"shutters", kShutters, DomainKind::parts, p.gating, context.stats});
  }

  LifeSet subscriptions() const override { return {Life::kernel_begins}; }
  void kernel_begins(const KernelBegins&) override { wanted_ = used_ = 0; }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {}};
  }

 protected:
  void tick() override {
    if (!domains_) return;
    begin_cycle();
    if (refusals().any_before(now()) && (wanted_ & domains_->awake())) {
      retry();
      wanted_ &= ~domains_->awake();
    }
    query();
  }

  Answer take(RegisterAccess& access) override {
    if (!domains_) return forward(access);
    begin_cycle();
    const DomainSet shutter = DomainSet{1} << access.home.value % kShutters;
    if (!(domains_->awake() & shutter)) {
      ++refusals_;
      wanted_ |= shutter;
      query();
      return Answer::refused;
    }
    const Answer answer = forward(access);
    if (answer == Answer::refused) return answer;
    if (!(used_ & shutter)) domains_->use(now(), shutter);
    used_ |= shutter;
    clock().wake();
    return answer;
  }

 private:
  static constexpr int kShutters = 4;

  void begin_cycle() {
    if (cycle_ == now()) return;
    cycle_ = now();
    domains_->advance(cycle_);
    domains_->left(cycle_, used_);
    used_ = 0;
  }
  void query() {
    domains_->set_inputs(now(), {0, 0, wanted_, 0});
    if (wanted_ & domains_->awake())
      clock().wake();
    else if (wanted_ && domains_->next_change() != kNever)
      clock().due_at(domains_->next_change());
  }

  PowerDomains* domains_ = nullptr;
  DomainSet wanted_ = 0, used_ = 0;
  Cycle cycle_ = kNever;
  Counter& refusals_;
};

const Registration<RegisterStage, Shutters, ShutterParameters> toy_shutters_entry{
    "toy-shutters", "registers behind shutters that sleep"};

}  // namespace
}  // namespace heddle
