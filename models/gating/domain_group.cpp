#include "models/gating/domain_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

std::unique_ptr<GatingPolicy> make_policy(const DomainGroupWiring& wiring) {
  GatingPolicy::Context context{wiring.domains, wiring.parameters, wiring.kind};
  const ConfigNode& choice = wiring.parameters.policy;
  auto policy = Registry<GatingPolicy>::instance().make(choice, context);
  if (const char* reason = policy->refuses(wiring.kind))
    throw Error(choice.where(),
                fmt::format("{} over domains that are {}: {}", choice_name(choice),
                            wiring.kind == DomainKind::parts ? "parts" : "alternatives", reason));
  return policy;
}

/// Returns the cycle in which the break-even time (state uncompensated) or the wake-up time (state wake_up)
/// of the power domain ends. Other states are not allowed.
Cycle passes_at(const DomainView& d, const DomainGroupParameters& parameters) {
  return d.since + static_cast<Cycle>(d.state == PowerState::wake_up ? parameters.wake_up_cycles
                                                                     : parameters.break_even_cycles);
}

Cycle first_passed(DomainSet passing, std::span<const DomainView> views,
                   const DomainGroupParameters& parameters) {
  Cycle first = kNever;
  for (; passing; passing &= passing - 1)
    first =
        std::min(first, passes_at(views[static_cast<std::size_t>(std::countr_zero(passing))], parameters));
  return first;
}

}  // namespace

DomainGroup::DomainGroup(const Wiring& wiring)
    : DomainStates(wiring.domains, wiring.agenda),
      wiring_(wiring),
      policy_(make_policy(wiring)),
      never_gates_(policy_->never_gates()),
      users_(wiring.domains, wiring.kind),
      idle_from_(static_cast<std::size_t>(wiring.domains)),
      accounts_(wiring, static_cast<Cycle>(wiring.parameters.break_even_cycles) +
                            (policy_->wakes_at_break_even() ? 0 : 1)) {}

void DomainGroup::begin(Cycle cycle) {
  begin_states(cycle);
  users_.clear();
  std::fill(idle_from_.begin(), idle_from_.end(), cycle);
  timed_ = 0;
  passes_ = kNever;
  accounts_.begin(cycle);
  begin_calls();
  inputs_ = {};
  if (probe_.attached()) probe_.notify({cycle - 1, true, {}});
  policy_->begin(cycle);
  step_in(never_gates_ ? kNever : cycle + 1);
}

// Calls the gating policy for the end of cycle now - 1, and applies its decision in cycle `now`.
void DomainGroup::step(Cycle now) {
  const DomainGroupView view = view_of(now - 1);
  GatingDecision decision = policy_->decide(view);
  if (probe_.attached()) probe_.answered({now - 1, false, view}, decision);
  if ((decision.sleep & (in_use_ | ~awake_)) != 0 || (decision.wake & ~gated_) != 0)
    throw InternalError(
        fmt::format("gating policy of {}: cycle {}: sleep {:b}, wake {:b} while awake {:b}, in use {:b}",
                    wiring_.name, now - 1, decision.sleep, decision.wake, awake_, in_use_));
  bool any = false;
  DomainSet rest = decision.sleep | decision.wake;
  if (now >= passes_) rest |= passing_;
  for (; rest; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    const DomainView& d = views_[i];
    const DomainSet bit = DomainSet{1} << i;
    PowerState next = d.state;
    if (decision.sleep & bit)
      next = PowerState::uncompensated;
    else if (decision.wake & bit)
      next = PowerState::wake_up;
    else if (now >= passes_at(d, wiring_.parameters))
      next = d.state == PowerState::wake_up ? PowerState::on : PowerState::compensated;
    if (next == d.state) continue;
    accounts_.enters(now, i, d, next);
    set_state(now, i, next);
    if (next == PowerState::on) is_on(now, i);
    any = true;
  }
  if (any) passes_ = first_passed(passing_, views_, wiring_.parameters);
  const Cycle takes_again = renew_takes(now);
  step_in(wiring_.every_cycle || any
              ? now + 1
              : std::min({passes_, takes_again,
                          decision.again == kNever ? kNever : std::max(now, decision.again) + 1}));
}

DomainGroupView DomainGroup::view_of(Cycle now) const {
  DomainGroupView view{inputs_, wiring_.kind, now, views_, awake_, gated_, passing_, in_use_};
  query(view);
  return view;
}

void DomainGroup::query(DomainGroupView& view) const {
  view.by_name = wiring_.kind == DomainKind::parts;
  view.asked = inputs_.wanted;
}

Cycle DomainGroup::renew_takes(Cycle) {
  takes_ = awake_;
  return kNever;
}

void DomainGroup::begin_use(Cycle now, std::size_t i, bool used, Cycle busy_until) {
  Cycle& idle_from = idle_from_[i];
  accounts_.used(now, i, views_[i], idle_from);
  views_[i].idle_since = idle_from = std::max(idle_from, busy_until);
  timed_ = idle_from == kNever ? timed_ & ~(DomainSet{1} << i) : timed_ | DomainSet{1} << i;
  if (used) return;
  set_used(i, true);
  changed(now);
}

void DomainGroup::left(Cycle now, DomainSet domains) {
  for (DomainSet rest = users_.remove(domains); rest; rest &= rest - 1)
    end_use(now, static_cast<std::size_t>(std::countr_zero(rest)));
}

void DomainGroup::end_use(Cycle now, std::size_t i) {
  accounts_.left(now, i, views_[i]);
  views_[i].idle_since = idle_from_[i] = std::min(now, idle_from_[i]);
  set_used(i, false);
  changed(now);
}

void DomainGroup::use_asleep(Cycle now, DomainSet domains, Cycle) {
  const auto i = static_cast<std::size_t>(std::countr_zero(domains));
  throw InternalError(fmt::format("cycle {}: an instruction for {}{}, which is {}", now, wiring_.name, i,
                                  name_of(views_[i].state)));
}

void DomainGroup::settle(Cycle cycle) {
  if (cycle <= accounts_.settled()) return;
  advance(cycle - 1);
  accounts_.settle(cycle, views_);
}

}  // namespace heddle
