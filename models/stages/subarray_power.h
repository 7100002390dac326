#pragma once

// Models the power domains of the subarrays of every bank (Jeon 2015, 8.2, Fig. 8). A subarray is in use
// while one of its entries is in use. It wakes when a register needs an entry and all subarrays that are on
// are full.

#include <vector>

#include "models/ports/power_domains.h"
#include "models/stages/availability.h"

namespace heddle {

class SubarrayPower {
 public:
  /// Without a maker or a gating policy, no subarray is ever off, and the class costs no time. `banks` must
  /// not move.
  SubarrayPower(PowerDomainsMaker* maker, const StatsScope& stats, const std::vector<Availability>& banks,
                int subarrays, const DomainGroupParameters& parameters);

  bool gates() const { return !groups_.empty(); }
  /// A kernel begins: all subarrays are on, without users.
  void begin_kernel();
  /// Applies the states of cycle `now`. A subarray that is off has lost its contents: throws InternalError if
  /// one of its entries is in use.
  void advance(Cycle now) {
    if (agenda_.next <= now) advance_groups(now);
  }
  DomainSet awake(std::size_t bank) const { return gates() ? groups_[bank].domains->awake() : ~DomainSet{0}; }

  /// An entry was taken, or is free from `now` on. `occupied`: subarrays of the bank in use after this.
  void taken(Cycle now, std::size_t bank, DomainSet occupied);
  void freed(Cycle now, std::size_t bank, DomainSet occupied) { taken(now, bank, occupied); }
  /// A register waits for this subarray; 0: no register waits.
  void want(Cycle now, std::size_t bank, DomainSet subarray);
  DomainSet wanted(std::size_t bank) const { return groups_[bank].wanted; }
  /// True if a subarray that a register waits for is awake.
  bool woken() const { return wanting_ != 0 && any_woken(); }
  /// Next cycle in which a requested subarray may be awake; kNever if none is requested.
  Cycle next_change() const;

 private:
  struct Group {
    PowerDomains* domains = nullptr;
    DomainSet used = 0, wanted = 0;
  };
  void advance_groups(Cycle now);
  bool any_woken() const;

  std::vector<Group> groups_;  ///< by bank
  DomainAgenda agenda_;        ///< agenda of all groups
  int wanting_ = 0;            ///< banks for whose subarrays a register waits
  const std::vector<Availability>* banks_;
};

}  // namespace heddle
