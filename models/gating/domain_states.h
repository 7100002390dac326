#pragma once

// State of each power domain of a group, and the set of domains in each state.

#include <vector>

#include "models/ports/power_domains.h"

namespace heddle {

class DomainStates {
 public:
  DomainStates(int domains, DomainAgenda* agenda)
      : agenda_(agenda ? *agenda : own_agenda_),
        views_(static_cast<std::size_t>(domains)),
        all_(static_cast<DomainSet>((std::uint64_t{1} << domains) - 1)),
        awake_(all_),
        takes_(all_) {}

  DomainSet all() const { return all_; }
  DomainSet gated() const { return gated_; }
  /// Power domains to which an instruction may issue: the domains that are awake. A derived class may add
  /// sleeping domains, which then wake.
  DomainSet takes() const { return takes_; }
  const DomainView& domain(int i) const { return views_[static_cast<std::size_t>(i)]; }

 protected:
  void begin_states(Cycle cycle) {
    for (DomainView& view : views_) view = {PowerState::on, cycle, cycle, false};
    awake_ = takes_ = all_;
    gated_ = in_use_ = passing_ = 0;
    ++agenda_.changes;
  }
  void set_state(Cycle now, std::size_t i, PowerState state) {
    DomainView& view = views_[i];
    const DomainSet bit = DomainSet{1} << i;
    ++agenda_.changes;
    view.state = state;
    view.since = now;
    if (state == PowerState::on) view.idle_since = now;
    awake_ = state == PowerState::on ? awake_ | bit : awake_ & ~bit;
    gated_ = is_gated(state) ? gated_ | bit : gated_ & ~bit;
    const bool passes = state == PowerState::uncompensated || state == PowerState::wake_up;
    passing_ = passes ? passing_ | bit : passing_ & ~bit;
  }
  void set_used(std::size_t i, bool used) {
    views_[i].used = used;
    in_use_ = used ? in_use_ | DomainSet{1} << i : in_use_ & ~(DomainSet{1} << i);
  }
  void set_takes(DomainSet takes) {
    if (takes == takes_) return;
    takes_ = takes;
    ++agenda_.changes;
  }

  DomainAgenda own_agenda_;
  DomainAgenda& agenda_;
  std::vector<DomainView> views_;
  DomainSet all_, awake_, takes_, gated_ = 0, in_use_ = 0;
  DomainSet passing_ = 0;
};

}  // namespace heddle
