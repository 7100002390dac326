#pragma once

// Power domains of the units of one class in an SM partition. Either each unit is a domain, and the units are
// alternatives of one group, because any of them can execute an instruction. Or each unit is divided into
// parts by lanes, and has its own group of parts. Issue reports its lanes in both cases.

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
    std::string name;  ///< "int", "fp", "sfu", "ldst"
    int units = 1;
    DomainGroupParameters parameters;
    /// Lanes of a unit that each part powers. Each lane must be in exactly one part. Empty: units are
    /// domains.
    std::vector<LaneMask> parts;
    bool own_time = false;   ///< PipelineGatingParameters::idle_from
    std::string parts_name;  ///< for example "halves": counters are in "<name><unit>.<parts_name>"
    bool every_cycle = false;
    StatsScope stats;
    std::unique_ptr<DomainGroup> (*make)(const DomainGroupWiring&) = nullptr;  ///< nullptr: plain groups
    /// Agenda of groups that are advanced together; nullptr: each group has its own.
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

  /// States of the units. `lanes` of the result points into this object and shows the states of the last
  /// call.
  UnitView power();
  /// By unit: lanes that are awake, as of the last power(); nullptr if domains are whole units.
  const LaneMask* lanes_awake() const { return in_parts() && !never_gates() ? lanes_awake_.data() : nullptr; }
  /// Units that accept an instruction with these lanes (UnitView::takes).
  DomainSet able(LaneMask lanes) const { return whole_ ? whole_->takes() : able_in_parts(lanes); }
  /// An instruction that needs `lanes` issues to a unit in cycle `now`. The unit works on it for
  /// `own_cycles`. Throws InternalError if the unit does not accept it.
  void use(Cycle now, int unit, LaneMask lanes, Cycle own_cycles = 0) {
    const Cycle busy_until = own_time_ ? now + own_cycles : kNever;
    if (whole_)
      whole_->use_one(now, unit, busy_until);
    else
      group(unit).use(now, parts_of(lanes), busy_until);
  }
  /// The instruction's last cycle in the unit was `now - 1`.
  void left(Cycle now, int unit, LaneMask lanes) {
    if (whole_)
      whole_->one_left(now, unit);
    else
      group(unit).left(now, parts_of(lanes));
  }
  /// Sets the inputs of whole units.
  void set_inputs(Cycle now, int waiting, int demand) {
    groups_.front()->set_inputs(now, {waiting, demand, 0, 0});
  }
  /// Sets the inputs of parts. Every instruction of the demand is assigned to a unit that no other
  /// instruction has in this cycle, with the fewest parts missing. Instructions that no unit can accept yet
  /// choose first. `spared`: lanes that no instruction will use for now.
  void set_inputs(Cycle now, int waiting, const LaneDemand& demand, LaneMask spared = 0);

  /// Whole units: one group. Parts: one group for each unit.
  const std::vector<std::unique_ptr<DomainGroup>>& groups() const { return groups_; }
  DomainGroup& group_of(int unit) const { return in_parts() ? group(unit) : *groups_.front(); }
  /// Domains of these lanes, in the group group_of(unit).
  DomainSet domains_of(int unit, LaneMask lanes) const {
    return in_parts() ? parts_of(lanes) : DomainSet{1} << unit;
  }
  const std::string& name() const { return name_; }
  int units() const { return units_; }

 private:
  DomainGroup& group(int unit) const { return *groups_[static_cast<std::size_t>(unit)]; }
  /// Parts that power any of `lanes`.
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
  bool single_lanes_;  ///< part i is lane i
  std::vector<std::unique_ptr<DomainGroup>> groups_;
  DomainGroup* whole_ = nullptr;                      ///< the only group, for whole units; nullptr for parts
  std::vector<LaneMask> lanes_awake_, lanes_taking_;  ///< by unit, as of the last power()
  std::vector<DomainSet> wanted_;
};

}  // namespace heddle
