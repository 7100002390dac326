#pragma once

// Models units that an instruction wakes by issuing to them (UnitGatingParameters::wake_on, Abdel-Majeed
// 2016, 3.4). Domains may be used while they are off. The rule chooses among several units. The instruction
// waits in its collector until all its domains are on.

#include <array>
#include <vector>

#include "models/core/cycle_set.h"
#include "models/gating/i_unit_rule.h"
#include "models/gating/unit_domains.h"

namespace heddle {

/// Issuing to a domain that is off wakes it. It counts as used, and as busy for the same time, from the cycle
/// in which it is on. GatingPolicy::may_wake returns the gated domains that may be used.
class WakingGroup final : public DomainGroup {
 public:
  explicit WakingGroup(const DomainGroupWiring& wiring);
  bool takes_asleep() const override { return !policy().never_gates(); }

 private:
  void begin_calls() override;
  void use_asleep(Cycle now, DomainSet domains, Cycle busy_until) override;
  void query(DomainGroupView& view) const override;
  Cycle renew_takes(Cycle now) override;
  void is_on(Cycle now, std::size_t i) override;

  DomainSet called_ = 0;  ///< domains that have been used while they were off, and are not on yet
  /// By domain: cycles for which these uses will keep it busy; kNever: unknown.
  std::vector<Cycle> called_for_;
  std::vector<Counter*> calls_;  ///< by domain; parts: one element
};

class IssueWakes final : public UnitRule {
 public:
  /// `units`: by partition and isa::UnitClass.
  explicit IssueWakes(const std::vector<std::array<UnitDomains*, 5>>& units);

  DomainSet choices(Cycle now, const UnitUse& use, DomainSet able) override;
  void issued(Cycle now, const UnitUse& use) override {
    given_[use.partition][static_cast<std::size_t>(use.unit_class)].in(now) |= DomainSet{1} << use.unit;
  }
  bool may_enter(Cycle now, const UnitUse& use) override;
  void entered(Cycle at, const UnitUse& use) override;

 private:
  UnitDomains& of(const UnitUse& use) const {
    return *units_[use.partition][static_cast<std::size_t>(use.unit_class)];
  }

  std::vector<std::array<UnitDomains*, 5>> units_;
  /// By partition and class: units to which instructions of this cycle have issued.
  std::vector<std::array<InCycle<DomainSet>, 5>> given_;
};

inline std::unique_ptr<DomainGroup> make_waking_group(const DomainGroupWiring& wiring) {
  return std::make_unique<WakingGroup>(wiring);
}

/// Returns the units of `able` that an instruction with these lanes should go to. Units without an
/// instruction in this cycle come first (those not in `given`), then units with the fewest gated domains.
/// Further criteria are the fewest uncompensated domains and the fewest waking domains. A further sibling
/// therefore wakes only when more instructions issue in a cycle than units are on or waking up, as with
/// waking by demand.
DomainSet preferred(const UnitDomains& units, DomainSet able, DomainSet given, LaneMask lanes);
/// A user of these domains entered in cycle `at`. Throws InternalError if a domain was not on in this cycle.
void check_entered(const DomainGroup& group, Cycle at, DomainSet domains);

}  // namespace heddle
