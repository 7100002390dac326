#pragma once

// Models power gating of the subarrays of each register bank (Jeon 2015, 8.2, Fig. 8). A subarray counts as
// used while one of its entries is in use. A sleeping subarray wakes when a register needs an entry and all
// subarrays that are on are full.

#include <vector>

#include "models/core/probe.h"
#include "models/ports/power_domains.h"
#include "models/stages/availability.h"

namespace heddle {

class SubarrayPower {
 public:
  /// Creates the power domains of all subarrays. If `maker` is nullptr or creates no domains, no subarray is
  /// ever off. `banks` must not move while this object exists.
  SubarrayPower(PowerDomainsMaker* maker, const StatsScope& stats, const std::vector<Availability>& banks,
                int subarrays, const DomainGroupParameters& parameters);

  bool gates() const { return !groups_.empty(); }
  void begin_kernel();
  /// Updates the power states to cycle `now`. Throws InternalError if a subarray that is off has lost the
  /// contents of an entry in use.
  void advance(Cycle now) {
    if (agenda_.next <= now) advance_groups(now);
  }
  DomainSet awake(std::size_t bank) const { return gates() ? groups_[bank].domains->awake() : ~DomainSet{0}; }

  /// taken(): an entry was allocated in cycle `now`. freed(): an entry is free from cycle `now` on. `occupied`:
  /// the bank's subarrays that are in use after the change.
  void taken(Cycle now, std::size_t bank, DomainSet occupied);
  void freed(Cycle now, std::size_t bank, DomainSet occupied) { taken(now, bank, occupied); }
  /// Requests that a subarray wakes, because a register needs one of its entries. `subarray` 0: cancels the
  /// bank's request.
  void want(Cycle now, std::size_t bank, DomainSet subarray);
  DomainSet wanted(std::size_t bank) const { return groups_[bank].wanted; }
  /// If subarrays are gated, adds values that observers draw (gauges): the subarrays of each bank that are
  /// on.
  void show(const ProbeScope& scope) const;
  bool woken() const { return wanting_ != 0 && any_woken(); }
  /// Returns the next cycle in which a requested subarray may be awake; kNever if there is no request.
  Cycle next_change() const;

 private:
  struct Group {
    PowerDomains* domains = nullptr;
    DomainSet used = 0, wanted = 0;
  };
  void advance_groups(Cycle now);
  bool any_woken() const;

  std::vector<Group> groups_;
  DomainAgenda agenda_;
  int wanting_ = 0;
  const std::vector<Availability>* banks_;
};

}  // namespace heddle
