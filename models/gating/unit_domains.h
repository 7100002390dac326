#pragma once

// Power domains of the units of one class in an SM partition. Either a domain is a whole unit, and the units
// are alternatives of one group; or units are divided into lanes, and each unit has a group of such parts.
// Issue reports its lanes here in both cases.

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
    /// By part, the lanes of a unit that it powers: together all, each in one part. Empty: units are domains.
    std::vector<LaneMask> parts;
    bool own_time = false;   ///< PipelineGatingParameters::idle_from
    std::string parts_name;  ///< "halves": counters stand in "<name><unit>.<parts_name>"
    bool every_cycle = false;
    StatsScope stats;
    std::unique_ptr<DomainGroup> (*make)(const DomainGroupWiring&) = nullptr;  ///< nullptr: plain groups
    DomainAgenda* agenda = nullptr;  ///< of those that are advanced together; nullptr: each group has its own
  };
  explicit UnitDomains(const Wiring& wiring);

  bool in_parts() const { return !parts_.empty(); }
  bool never_gates() const { return groups_.front()->policy().never_gates(); }
  /// Instructions may issue to units that are not awake.
  bool takes_asleep() const { return groups_.front()->takes_asleep(); }

  void begin(Cycle cycle);
  void advance(Cycle now) {
    for (auto& group : groups_) group->advance(now);
  }
  Cycle next_change() const;
  void settle(Cycle cycle);
  void check_conservation() const;

  /// States of the units; its `lanes` point here and show the states of the last call.
  UnitView power();
  /// By unit: lanes that are awake, as of the last power(); nullptr if domains are whole units.
  const LaneMask* lanes_awake() const { return in_parts() && !never_gates() ? lanes_awake_.data() : nullptr; }
  /// Units that take an instruction with these lanes (UnitView::takes).
  DomainSet able(LaneMask lanes) const { return whole_ ? whole_->takes() : able_in_parts(lanes); }
  /// An instruction that needs `lanes` is issued to a unit in cycle `now`, which works on it for
  /// `own_cycles`; InternalError if it does not take one.
  void use(Cycle now, int unit, LaneMask lanes, Cycle own_cycles = 0) {
    const Cycle busy_until = own_time_ ? now + own_cycles : kNever;
    if (whole_)
      whole_->use_one(now, unit, busy_until);
    else
      group(unit).use(now, parts_of(lanes), busy_until);
  }
  /// It was in the unit for the last time in cycle `now - 1`.
  void left(Cycle now, int unit, LaneMask lanes) {
    if (whole_)
      whole_->one_left(now, unit);
    else
      group(unit).left(now, parts_of(lanes));
  }
  /// For whole units.
  void set_inputs(Cycle now, int waiting, int demand) {
    groups_.front()->set_inputs(now, {waiting, demand, 0, 0});
  }
  /// For parts. Every instruction of the demand takes a unit that no other one has taken in this cycle, the
  /// one of which the fewest parts are missing; those that no unit can serve yet choose first. `spared`:
  /// lanes that no instruction will use for now.
  void set_inputs(Cycle now, int waiting, const LaneDemand& demand, LaneMask spared = 0);

  /// Whole units: one group. Parts: one a unit.
  const std::vector<std::unique_ptr<DomainGroup>>& groups() const { return groups_; }
  DomainGroup& group_of(int unit) const { return in_parts() ? group(unit) : *groups_.front(); }
  /// Domains of these lanes, in that group.
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
  DomainGroup* whole_ = nullptr;                      ///< the one group of whole units; nullptr: parts
  std::vector<LaneMask> lanes_awake_, lanes_taking_;  ///< by unit, as of the last power()
  std::vector<DomainSet> wanted_;
};

}  // namespace heddle
