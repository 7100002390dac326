#pragma once

// Contract "availability of units": execution units, or lanes of them, accept no instructions for some
// cycles. Issue binds each instruction to a unit that accepts it, and reports when the unit is in use and
// which instructions wait for units, so that units may become available again. The class itself is the null
// object: every unit accepts every instruction in every cycle.
//
// In a cycle with resident warps and advance() due: advance(), then leave() for instructions that are out of
// their unit, use() for those that issue, and at the end set_demand() with the counts of demand().

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/core/probe.h"
#include "models/core/unit_view.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/instruction_path.h"

namespace heddle {

/// Instructions that could issue to a class in a cycle if its units took them, at most the issue slots, by the lanes that
/// they need.
struct LaneDemand {
  std::array<LaneMask, 8> lanes{};
  int count = 0;
  void add(LaneMask needed) {
    if (count < static_cast<int>(lanes.size())) lanes[static_cast<std::size_t>(count++)] = needed;
  }
};

/// Demand of a partition's schedulers for the units of a class in a cycle.
struct UnitDemand {
  int waiting = 0;      ///< active warps whose next instruction needs the class
  int wanting = 0;      ///< of these, warps that request a unit (UnitAvailability::demand_in_order)
  LaneDemand lanes;     ///< where UnitView::lanes is set
  LaneMask spared = 0;  ///< there: lanes that nothing will use for now
};

class UnitAvailability : public LifeListener {
 public:
  explicit UnitAvailability(std::size_t partitions) : partitions_(partitions) {
    for (Partition& partition : partitions_) partition.units.fill({~UnitSet{0}, ~UnitSet{0}, 0, nullptr});
  }
  virtual ~UnitAvailability() = default;

  const UnitViews& units(std::size_t partition) const { return partitions_[partition].units; }
  /// Units may come to take no instructions. If not, nothing below is called but use() and leave().
  bool varies() const { return varies_; }
  /// The next cycle in which units() may differ.
  Cycle next_change() const { return next_change_; }
  /// A kernel begins in `cycle`: units() is initialised.
  virtual void begin_kernel(Cycle /*cycle*/) {}
  /// Cycle `now` begins; true if units() differs.
  virtual bool advance(Cycle /*now*/) { return false; }

  /// Units that the instruction should use, among those `able` to accept it. Called if some of them are
  /// preferred().
  virtual UnitSet preferred(Cycle /*now*/, std::size_t /*partition*/, const InFlight&, UnitSet able) {
    return able;
  }
  bool prefers() const { return prefers_; }
  /// The instruction issues to unit `cluster` of its class (-1: the load/store unit), in its `lanes`, by its plan.
  /// InternalError if the unit does not take it.
  virtual void use(Cycle /*now*/, std::size_t /*partition*/, const InFlight&) {}
  /// Its last cycle in its unit was `now - 1`. If units do not vary, pipelines report it with left(), in the
  /// cycle before.
  virtual void leave(Cycle /*now*/, std::size_t /*partition*/, const InFlight&) {}

  /// Demand for a class since set_demand(), for the module that counts it after a policy has chosen.
  UnitDemand& demand(std::size_t partition, std::size_t unit) { return partitions_[partition].demand[unit]; }
  /// A warp asks for a unit if its scheduler would issue from it, did every unit take it; else if it could issue.
  bool demand_in_order() const { return demand_in_order_; }
  virtual void set_demand(Cycle /*now*/) {}

  // As the SM is put together.
  /// Stands between the collectors of a partition and its units; nullptr: nothing. `prefix`: of its module's name.
  virtual std::unique_ptr<InstructionTap> tap(const std::string& /*prefix*/, std::size_t /*partition*/) {
    return nullptr;
  }
  /// By unit of the class: its lanes that compute; nullptr: all.
  virtual const LaneMask* lanes_on(std::size_t /*partition*/, isa::UnitClass) const { return nullptr; }
  /// Cycles for which an instruction that goes on waiting for the same lanes may wait until all of them take it.
  virtual Cycle longest_wait() const { return 0; }
  virtual void settle(Cycle /*cycle*/) {}
  virtual void check_conservation() const {}
  virtual void probes(const ProbeScope&) {}

 protected:
  struct Partition {
    UnitViews units{};                   ///< in this cycle
    std::array<UnitDemand, 5> demand{};  ///< of this cycle
  };
  std::vector<Partition> partitions_;
  Cycle next_change_ = kNever;
  bool varies_ = false, prefers_ = false, demand_in_order_ = false;
};

}  // namespace heddle
