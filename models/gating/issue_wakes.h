#pragma once

// Models units that wake when an instruction issues to them (UnitGatingParameters::wake_on = "issue",
// Abdel-Majeed 2016, 3.4). The instruction waits in its operand collector until all power domains that it
// needs are on.

#include <array>
#include <vector>

#include "models/core/cycle_set.h"
#include "models/gating/i_unit_rule.h"
#include "models/gating/unit_domains.h"

namespace heddle {

/// Group of power domains that wake by issue: an instruction may issue to a domain that is off, which then
/// wakes. The domain counts as used from the cycle in which it is on.
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

  /// Power domains that an instruction has woken by its issue, and that are not on yet.
  DomainSet called_ = 0;
  std::vector<Cycle> called_for_;
  std::vector<Counter*> calls_;
};

class IssueWakes final : public UnitRule {
 public:
  /// `units`: power domains of the units, by partition and isa::UnitClass.
  explicit IssueWakes(const std::vector<std::array<UnitDomains*, kUnitClasses>>& units);

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

  std::vector<std::array<UnitDomains*, kUnitClasses>> units_;
  /// Units to which an instruction has issued in this cycle, by partition and unit class.
  std::vector<std::array<InCycle<DomainSet>, kUnitClasses>> given_;
};

inline std::unique_ptr<DomainGroup> make_waking_group(const DomainGroupWiring& wiring) {
  return std::make_unique<WakingGroup>(wiring);
}

/// Returns the units of `able` to which an instruction that needs `lanes` should issue: the units with the
/// fewest gated domains. Among equals, the units with the fewest uncompensated domains are preferred, then
/// the units with the fewest waking domains. The units in `given` already got an instruction in this cycle
/// and come last. Therefore a further unit wakes only if the instructions that issue in a cycle outnumber the
/// units that are on or waking up.
DomainSet preferred(const UnitDomains& units, DomainSet able, DomainSet given, LaneMask lanes);
/// Throws InternalError if a domain of `domains` was not on when the instruction entered its unit. `at`: cycle
/// of entry.
void check_entered(const DomainGroup& group, Cycle at, DomainSet domains);

}  // namespace heddle
