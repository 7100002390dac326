// Naive blackout (003, 3.4): a domain goes to sleep after idle-detect idle cycles and cannot wake before the
// break-even time has passed, whatever waits. From then on it wakes when an instruction needs it.
//
// Left open by the paper: siblings decide each for itself, and an instruction needs a further one only if
// fewer are on or waking up than instructions could issue (wake_choice.h).

#include "models/core/registry.h"
#include "models/gating/idle_detect.h"
#include "models/gating/wake_choice.h"

namespace heddle {
namespace {

class NaiveBlackout : public GatingPolicy {
 public:
  NaiveBlackout(const NoParameters&, Context& context)
      : idle_detect_(context.parameters.idle_detect_cycles),
        break_even_(context.parameters.break_even_cycles) {}

  GatingDecision decide(const DomainGroupView& view) override {
    GatingDecision d;
    d.wake = wanted_of(view, view.in_state(PowerState::compensated));
    sleep_after_idle(view, idle_detect_, d);
    return d;
  }
  int idle_detect_cycles() const override { return idle_detect_; }
  void set_idle_detect(int cycles) override { idle_detect_ = cycles; }
  /// The wake-up is decided in a compensated cycle.
  Cycle least_gated_cycles() const override { return static_cast<Cycle>(break_even_) + 1; }

 private:
  int idle_detect_, break_even_;
};

const Registration<GatingPolicy, NaiveBlackout> registered{
    "naive-blackout", "sleeps when idle, at least for the break-even time"};

}  // namespace
}  // namespace heddle
