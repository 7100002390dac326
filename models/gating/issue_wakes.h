#pragma once

// Units that wake by an instruction that issues to them (UnitGatingParameters::wake_on, Abdel-Majeed 2016,
// 3.4): domains that may be called while they are not on, which of several units is called, and the
// instruction that waits in its collector until all that it needs is on.

#include <array>
#include <vector>

#include "models/core/cycle_set.h"
#include "models/gating/i_unit_rule.h"
#include "models/gating/unit_domains.h"

namespace heddle {

/// Issuing to a domain that is off wakes it. It counts as used, and as busy for the same time, from the cycle
/// in which it is on. The policy says which gated domains may be used (GatingPolicy::may_wake).
class WakingGroup final : public DomainGroup {
 public:
  explicit WakingGroup(const DomainGroupWiring& wiring);
  bool takes_asleep() const override { return !policy().never_gates(); }

 private:
  void begin_calls() override;
  void use_asleep(Cycle now, DomainSet domains, Cycle busy_until) override;
  void ask(DomainGroupView& view) const override;
  Cycle renew_takes(Cycle now) override;
  void is_on(Cycle now, std::size_t i) override;

  DomainSet called_ = 0;  ///< and not on yet
  /// By domain: cycles for which those that have called it will keep it busy; kNever: not known.
  std::vector<Cycle> called_for_;
  std::vector<Counter*> calls_;  ///< a domain; of parts, one
};

class IssueWakes final : public UnitRule {
 public:
  /// By partition and isa::UnitClass.
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
  /// By partition and class: units that instructions of this cycle have gone to.
  std::vector<std::array<InCycle<DomainSet>, 5>> given_;
};

inline std::unique_ptr<DomainGroup> make_waking_group(const DomainGroupWiring& wiring) {
  return std::make_unique<WakingGroup>(wiring);
}

/// Units, among the given ones, that an instruction with these lanes should go to. Units without an
/// instruction in this cycle come first, and among them those that have to wake least: a sibling wakes when
/// more instructions issue in a cycle than units are on or waking up, as by demand. Then the longest wait for
/// the break-even time decides, then units that are on.
DomainSet preferred(const UnitDomains& units, DomainSet able, DomainSet given, LaneMask lanes);
/// A user of these domains was admitted in cycle `at`: InternalError if one of them was not on in that cycle.
void check_entered(const DomainGroup& group, Cycle at, DomainSet domains);

}  // namespace heddle
