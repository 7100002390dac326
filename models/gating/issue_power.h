#pragma once

// How issue and the power domains of the units agree: an instruction is bound to a unit when it issues, one
// that is awake or that this wakes, and the gating policies hear in every cycle what waits for their units.

#include <array>
#include <vector>

#include "models/core/error.h"
#include "models/exec/cluster_choice.h"
#include "models/exec/unit_parameters.h"
#include "models/gating/sm_power_domains.h"

namespace heddle {

/// What the schedulers of a partition have waiting for the units of a class in a cycle.
struct UnitDemand {
  int waiting = 0;      ///< active warps whose next instruction needs the class
  int wanting = 0;      ///< of these, those that ask for it (GatingParameters::demand)
  LaneDemand lanes;     ///< of a class whose units are gated in parts
  LaneMask spared = 0;  ///< of such a class: lanes that nothing will use for now
};

class IssuePower {
 public:
  struct Wiring {
    SmPowerDomains* domains = nullptr;
    const UnitParameters* units = nullptr;
    const GatingParameters* gating = nullptr;
    int partitions = 1;
    int slots = 1;              ///< issue slots of a partition
    int pipeline_overhead = 0;  ///< cycles between issue and dependent issue that pass outside the units
    int shift_cycles = 0;       ///< that moving threads to other lanes adds
  };
  explicit IssuePower(const Wiring& wiring);

  /// Some group may gate something; without that, only bind, dispatched and left have anything to do.
  bool gates() const { return gates_; }
  void begin_kernel(Cycle cycle) { domains_.begin(cycle); }
  /// Brings the states of cycle `now` into force; true if units() has changed.
  bool begin_cycle(Cycle now);
  const std::array<UnitPower, 5>& units(std::size_t partition) const { return partitions_[partition].units; }
  /// A warp asks for a unit if its scheduler would issue from it, were every unit awake; else if it could issue.
  bool would_issue() const { return would_issue_; }
  /// What waits for a class, by its number, since set_inputs() was called: for whoever counts it, after a policy has
  /// chosen.
  UnitDemand& demand(std::size_t partition, std::size_t unit) { return partitions_[partition].demand[unit]; }
  /// Tells the gating policies what was counted since the last call.
  void set_inputs(Cycle now);
  /// The next cycle in which a state changes by itself, kNever if none does.
  Cycle next_change() const { return domains_.next_change(); }

  /// The unit that will execute an instruction, `cluster` if that is not negative; the domains of the lanes
  /// it needs are in use from here on, in `passes` passes. -1: the load/store unit.
  [[gnu::always_inline]] int bind(Cycle now, std::size_t partition, isa::UnitClass unit,
                                  isa::OpClass op_class, int cluster, LaneMask lanes, int passes) {
    UnitDomains& domains = domains_.of(partition, unit);
    if (rule_) return bind_by_rule(now, partition, unit, op_class, cluster, lanes, passes);
    if (unit == isa::UnitClass::ldst) {
      domains.use(now, 0, lanes, 0);
      return -1;
    }
    const auto c = static_cast<std::size_t>(op_class);
    ClusterChoice& clusters = partitions_[partition].clusters;
    if (cluster < 0) cluster = clusters.choose(unit, domains.able(lanes));
    if (cluster < 0) refuse_bind();
    domains.use(now, cluster, lanes, own_cycles_[c] + static_cast<Cycle>(passes - 1) * interval_[c]);
    clusters.issued(unit, cluster);
    return cluster;
  }
  /// Its collector handed it to its unit in cycle `now - 1`.
  void dispatched(Cycle now, std::size_t partition, isa::UnitClass unit, int cluster, LaneMask lanes) {
    if (ruled_) enter_by_rule(now, {partition, unit, lanes, cluster < 0 ? 0 : cluster});
    if (cluster >= 0) partitions_[partition].clusters.dispatched(unit, cluster);
  }
  /// The instruction was in its unit for the last time in cycle `now - 1`.
  void left(Cycle now, std::size_t partition, isa::UnitClass unit, int cluster, LaneMask lanes) {
    domains_.of(partition, unit).left(now, cluster < 0 ? 0 : cluster, lanes);
  }

 private:
  struct Partition {
    explicit Partition(const UnitParameters& parameters) : clusters(parameters) {}
    ClusterChoice clusters;
    std::array<UnitPower, 5> units{};    ///< in this cycle
    std::array<UnitDemand, 5> demand{};  ///< of this cycle
  };
  /// bind(), where a rule says which units it is to choose among.
  [[gnu::noinline, gnu::cold]] int bind_by_rule(Cycle now, std::size_t partition, isa::UnitClass unit,
                                                isa::OpClass op_class, int cluster, LaneMask lanes,
                                                int passes);
  /// dispatched(), where a rule hears of it.
  void enter_by_rule(Cycle now, const UnitUse& use);
  [[noreturn]] static void refuse_bind();

  SmPowerDomains& domains_;
  UnitRule* rule_;  ///< nullptr: none
  int slots_;       ///< issue slots of a partition
  bool ruled_;      ///< there is a rule
  bool gates_, would_issue_;
  /// By isa::OpClass: for how long a pipeline works on an instruction, and what each further pass adds.
  std::array<Cycle, static_cast<std::size_t>(isa::OpClass::count_)> own_cycles_{}, interval_{};
  std::uint64_t changes_ = 0;  ///< of the domains, when their states were last noted
  std::vector<Partition> partitions_;
};

}  // namespace heddle
