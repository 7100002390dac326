#pragma once

// Power domains of the subarrays of every bank (Jeon 2015, 8.2, Fig. 8): one is in use while an entry of it
// is taken, and woken when a register needs one and those that are on are full.

#include <vector>

#include "models/ports/power_domains.h"
#include "models/stages/availability.h"

namespace heddle {

class SubarrayPower {
 public:
  /// Without a maker or a policy nothing is ever off, and nothing here costs anything. `banks` stays where it is.
  SubarrayPower(PowerDomainsMaker* maker, const StatsScope& stats, const std::vector<Availability>& banks,
                int subarrays, const DomainGroupParameters& parameters);

  bool gates() const { return !groups_.empty(); }
  /// A kernel begins: all are on again, without users.
  void begin_kernel();
  /// Brings the states of `now` into force. A subarray that is off has lost what it held: InternalError if an entry of
  /// it is taken.
  void advance(Cycle now) {
    if (agenda_.next <= now) advance_groups(now);
  }
  DomainSet awake(std::size_t bank) const { return gates() ? groups_[bank].domains->awake() : ~DomainSet{0}; }

  /// An entry of the subarray was taken, or is free from `now` on; `occupied`: what the bank uses since.
  void taken(Cycle now, std::size_t bank, DomainSet occupied);
  void freed(Cycle now, std::size_t bank, DomainSet occupied) { taken(now, bank, occupied); }
  /// A register waits for this subarray; 0: none does.
  void want(Cycle now, std::size_t bank, DomainSet subarray);
  DomainSet wanted(std::size_t bank) const { return groups_[bank].wanted; }
  /// Some subarray that is waited for is awake.
  bool woken() const { return wanting_ != 0 && any_woken(); }
  /// Next cycle in which a subarray with waiting accesses may be awake; kNever without any.
  Cycle next_change() const;

 private:
  struct Group {
    PowerDomains* domains = nullptr;
    DomainSet used = 0, wanted = 0;
  };
  void advance_groups(Cycle now);
  bool any_woken() const;

  std::vector<Group> groups_;  ///< by bank
  DomainAgenda agenda_;        ///< of all of them
  int wanting_ = 0;            ///< banks with waiting accesses
  const std::vector<Availability>* banks_;
};

}  // namespace heddle
