#pragma once

// Power domains of the execution units of one class in an SM partition. In a group of alternatives, each unit
// is one domain, and any unit can execute an instruction. In a group of parts, the lanes of one unit are
// divided into several domains.

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
    std::string name;
    int units = 1;
    DomainGroupParameters parameters;
    /// Lanes of each power domain in a unit. Each lane must be in exactly one domain. Empty: each whole unit
    /// is one domain.
    std::vector<LaneMask> parts;
    /// Start of a domain's idle time (PipelineGatingParameters::idle_from). True: `own_cycles` (see use())
    /// after the issue of the last instruction, even if this instruction is still in the pipeline. False:
    /// when the last instruction has left the pipeline.
    bool own_time = false;
    /// Name of the parts, for example "halves". The owner of their counters is named
    /// "<name><unit>.<parts_name>", for example "int0.halves".
    std::string parts_name;
    bool every_cycle = false;
    StatsScope stats;
    /// Function that creates each group, as an object of a class derived from DomainGroup; nullptr:
    /// DomainGroup.
    std::unique_ptr<DomainGroup> (*make)(const DomainGroupWiring&) = nullptr;
    /// If one module advances several groups together: the object that holds the next cycle in which one of
    /// these groups must be advanced. nullptr: each group is advanced alone.
    DomainAgenda* agenda = nullptr;
  };
  explicit UnitDomains(const Wiring& wiring);

  bool in_parts() const { return !parts_.empty(); }
  bool never_gates() const { return groups_.front()->policy().never_gates(); }
  bool takes_asleep() const { return groups_.front()->takes_asleep(); }

  void begin(Cycle cycle);
  void advance(Cycle now) {
    for (auto& group : groups_) group->advance(now);
  }
  Cycle next_change() const;
  void settle(Cycle cycle);
  void check_conservation() const;

  /// States of the units for the issue stage. UnitView::lanes points into this object, where the next call
  /// overwrites the lanes.
  UnitView power();
  /// Awake lanes of each unit at the last call of power(). nullptr if whole units are domains, or if no
  /// domain is ever gated.
  const LaneMask* lanes_awake() const { return in_parts() && !never_gates() ? lanes_awake_.data() : nullptr; }
  DomainSet able(LaneMask lanes) const { return whole_ ? whole_->takes() : able_in_parts(lanes); }
  /// Records that an instruction issues to a unit in cycle `now`. `lanes`: lanes of the unit that the
  /// instruction uses. `own_cycles`: number of cycles for which they work on it. Throws InternalError if the
  /// unit does not accept the instruction.
  void use(Cycle now, int unit, LaneMask lanes, Cycle own_cycles = 0) {
    const Cycle busy_until = own_time_ ? now + own_cycles : kNever;
    if (whole_)
      whole_->use_one(now, unit, busy_until);
    else
      group(unit).use(now, parts_of(lanes), busy_until);
  }
  /// Records that an instruction has left its unit. Its last cycle in the unit was `now - 1`.
  void left(Cycle now, int unit, LaneMask lanes) {
    if (whole_)
      whole_->one_left(now, unit);
    else
      group(unit).left(now, parts_of(lanes));
  }
  /// Sets the inputs of the policy for a cycle, if each unit is one power domain. `waiting`: active warps
  /// that wait for a unit. `demand`: instructions that could issue if no unit were gated.
  void set_inputs(Cycle now, int waiting, int demand) {
    groups_.front()->set_inputs(now, {waiting, demand, 0, 0});
  }
  /// Sets the inputs of the policies for a cycle, if units are divided into parts. Each instruction of
  /// `demand` chooses a different unit: the unit in which the fewest of the parts that it needs are gated. It
  /// requests these parts. Instructions that no unit can accept in this cycle choose first. `waiting`: as
  /// above. `spared`: lanes that no instruction will use for some time.
  void set_inputs(Cycle now, int waiting, const LaneDemand& demand, LaneMask spared = 0);

  const std::vector<std::unique_ptr<DomainGroup>>& groups() const { return groups_; }
  DomainGroup& group_of(int unit) const { return in_parts() ? group(unit) : *groups_.front(); }
  DomainSet domains_of(int unit, LaneMask lanes) const {
    return in_parts() ? parts_of(lanes) : DomainSet{1} << unit;
  }
  const std::string& name() const { return name_; }
  int units() const { return units_; }

 private:
  DomainGroup& group(int unit) const { return *groups_[static_cast<std::size_t>(unit)]; }
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
  bool single_lanes_;
  std::vector<std::unique_ptr<DomainGroup>> groups_;
  DomainGroup* whole_ = nullptr;
  std::vector<LaneMask> lanes_awake_, lanes_taking_;
  std::vector<DomainSet> wanted_;
};

}  // namespace heddle
