#pragma once

// Power domains of the execution units of one class in an SM partition. There are two kinds. Alternatives:
// each unit is one domain, and any unit can execute an instruction. Parts: the lanes of each unit are divided
// into several domains, and each unit has its own group of domains. In both cases the issue stage passes the
// lanes that an instruction uses.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "models/gating/domain_group.h"
#include "models/gating/gating_parameters.h"
#include "models/ports/unit_availability.h"

namespace heddle {

class UnitDomains {
 public:
  struct Wiring {
    std::string name;  ///< unit class: "int", "fp", "sfu" or "ldst"
    int units = 1;
    DomainGroupParameters parameters;
    /// Lanes that each power domain of a unit supplies. Each lane must be in exactly one domain. Empty: each
    /// whole unit is one domain.
    std::vector<LaneMask> parts;
    /// True if idle time starts when the unit's own work ends (PipelineGatingParameters::idle_from).
    bool own_time = false;
    /// Name of the parts, for example "halves"; counters are in the scope "<name><unit>.<parts_name>".
    std::string parts_name;
    bool every_cycle = false;
    StatsScope stats;
    /// Creates a group of domains of a derived class; nullptr: the class is DomainGroup.
    std::unique_ptr<DomainGroup> (*make)(const DomainGroupWiring&) = nullptr;
    /// State shared by groups that are advanced together; nullptr: each group is alone.
    DomainAgenda* agenda = nullptr;
  };
  explicit UnitDomains(const Wiring& wiring);

  bool in_parts() const { return !parts_.empty(); }
  bool never_gates() const { return groups_.front()->policy().never_gates(); }
  /// True if instructions may issue to units that are not awake.
  bool takes_asleep() const { return groups_.front()->takes_asleep(); }

  void begin(Cycle cycle);
  void advance(Cycle now) {
    for (auto& group : groups_) group->advance(now);
  }
  Cycle next_change() const;
  void settle(Cycle cycle);
  void check_conservation() const;

  /// Returns the states of the units for the issue stage. The member `lanes` of the result points into this
  /// object, and shows the states as of the last call.
  UnitView power();
  /// Returns the lanes of each unit that are awake, as of the last power(). Returns nullptr if whole units
  /// are domains, or if nothing is ever gated.
  const LaneMask* lanes_awake() const { return in_parts() && !never_gates() ? lanes_awake_.data() : nullptr; }
  /// Returns the units that accept an instruction with these lanes (UnitView::takes).
  DomainSet able(LaneMask lanes) const { return whole_ ? whole_->takes() : able_in_parts(lanes); }
  /// Records that an instruction that needs `lanes` issues to a unit in cycle `now`. The unit works on the
  /// instruction for `own_cycles`. Throws InternalError if the unit does not accept it.
  void use(Cycle now, int unit, LaneMask lanes, Cycle own_cycles = 0) {
    const Cycle busy_until = own_time_ ? now + own_cycles : kNever;
    if (whole_)
      whole_->use_one(now, unit, busy_until);
    else
      group(unit).use(now, parts_of(lanes), busy_until);
  }
  /// Records that an instruction has left its unit; cycle `now - 1` was its last cycle there.
  void left(Cycle now, int unit, LaneMask lanes) {
    if (whole_)
      whole_->one_left(now, unit);
    else
      group(unit).left(now, parts_of(lanes));
  }
  /// Sets the demand of a cycle, if each unit is one power domain. `waiting`: active warps that wait for a
  /// unit. `demand`: instructions that could issue if no unit were gated.
  void set_inputs(Cycle now, int waiting, int demand) {
    groups_.front()->set_inputs(now, {waiting, demand, 0, 0});
  }
  /// Sets the demand of a cycle, if units are divided into parts. Each waiting instruction is assigned to a
  /// different unit: the unit with the fewest gated parts among those that the instruction needs.
  /// Instructions that no unit accepts yet are assigned first. `spared`: lanes that no instruction will use
  /// for the time being.
  void set_inputs(Cycle now, int waiting, const LaneDemand& demand, LaneMask spared = 0);

  /// Returns the groups of power domains: one group if each unit is a domain, otherwise one group for each
  /// unit.
  const std::vector<std::unique_ptr<DomainGroup>>& groups() const { return groups_; }
  DomainGroup& group_of(int unit) const { return in_parts() ? group(unit) : *groups_.front(); }
  /// Returns the power domains that supply these lanes of the unit, as a set in the group group_of(unit).
  DomainSet domains_of(int unit, LaneMask lanes) const {
    return in_parts() ? parts_of(lanes) : DomainSet{1} << unit;
  }
  const std::string& name() const { return name_; }
  int units() const { return units_; }

 private:
  DomainGroup& group(int unit) const { return *groups_[static_cast<std::size_t>(unit)]; }
  /// Returns the parts of a unit that supply at least one of `lanes`.
  DomainSet parts_of(LaneMask lanes) const {
    if (single_lanes_) return lanes;
    DomainSet set = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (lanes & parts_[i]) set |= DomainSet{1} << i;
    return set;
  }
  DomainSet able_in_parts(LaneMask lanes) const;
  LaneMask lanes_of(DomainSet parts) const;
  void want(DomainSet needed, DomainSet& taken, std::vector<DomainSet>& wanted) const;

  std::string name_;
  int units_;
  bool own_time_;
  std::vector<LaneMask> parts_;
  bool single_lanes_;  ///< true if each lane is one power domain, so that part i is lane i
  std::vector<std::unique_ptr<DomainGroup>> groups_;
  DomainGroup* whole_ = nullptr;  ///< the only group, if each unit is one power domain; otherwise nullptr
  /// By unit, as of the last power(): lanes that are awake, and lanes that accept instructions.
  std::vector<LaneMask> lanes_awake_, lanes_taking_;
  std::vector<DomainSet> wanted_;
};

}  // namespace heddle
