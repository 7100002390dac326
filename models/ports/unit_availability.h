#pragma once

// Contract "availability of units": in some cycles execution units, or lanes of them, accept no instruction.
// Issue assigns each instruction to a unit that accepts it. Issue also reports when a unit is in use and
// which instructions wait for units, so that units can wake. The class itself is the null object: every unit
// accepts every instruction in every cycle.
//
// Order of calls in a cycle with resident warps, if advance() is due:
//   1. advance()
//   2. leave() for instructions that have left their unit
//   3. use() for instructions that issue
//   4. set_demand(), with the counts of demand()

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/core/probe.h"
#include "models/core/unit_view.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/instruction_path.h"

namespace heddle {

/// Instructions that could issue to a class in a cycle if its units accepted them, given by the lanes that
/// each needs. At most as many as the issue slots.
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
  int wanting = 0;      ///< warps among them that request a unit (UnitAvailability::demand_in_order)
  LaneDemand lanes;     ///< instructions by the lanes that they need; set if UnitView::lanes is
  LaneMask spared = 0;  ///< lanes that no instruction will use for now; set if UnitView::lanes is
};

class UnitAvailability : public LifeListener {
 public:
  explicit UnitAvailability(std::size_t partitions) : partitions_(partitions) {
    for (Partition& partition : partitions_) partition.units.fill({~UnitSet{0}, ~UnitSet{0}, 0, nullptr});
  }
  virtual ~UnitAvailability() = default;

  std::size_t partitions() const { return partitions_.size(); }
  const UnitViews& units(std::size_t partition) const { return partitions_[partition].units; }
  /// True if units may stop accepting instructions. Otherwise no function below is called, except use() and
  /// leave().
  bool varies() const { return varies_; }
  /// Next cycle in which units() may differ.
  Cycle next_change() const { return next_change_; }
  /// A kernel begins in `cycle`. Initialises units().
  virtual void begin_kernel(Cycle /*cycle*/) {}
  /// Cycle `now` begins. Returns true if units() changes.
  virtual bool advance(Cycle /*now*/) { return false; }

  /// Units that the instruction should use, among those `able` to accept it. Called only if prefers().
  virtual UnitSet preferred(Cycle /*now*/, std::size_t /*partition*/, const InFlight&, UnitSet able) {
    return able;
  }
  bool prefers() const { return prefers_; }
  /// The instruction issues to unit `cluster` of its class (-1: the load/store unit), in its `lanes`, by its
  /// plan. Throws InternalError if the unit does not accept it.
  virtual void use(Cycle /*now*/, std::size_t /*partition*/, const InFlight&) {}
  /// The instruction's last cycle in its unit was `now - 1`. If units do not vary, pipelines report left()
  /// instead, one cycle earlier.
  virtual void leave(Cycle /*now*/, std::size_t /*partition*/, const InFlight&) {}

  /// Demand for a class since set_demand(), for the module that counts demand after a policy has chosen.
  UnitDemand& demand(std::size_t partition, std::size_t unit) { return partitions_[partition].demand[unit]; }
  /// True: a warp requests a unit if its scheduler would issue from the warp with all units accepting. False:
  /// it requests a unit if it could issue.
  bool demand_in_order() const { return demand_in_order_; }
  virtual void set_demand(Cycle /*now*/) {}

  // The functions below are called while the SM is built.
  /// A module between the collectors of a partition and its units; nullptr: none. `prefix`: first part of the
  /// module's name.
  virtual std::unique_ptr<InstructionTap> tap(const std::string& /*prefix*/, std::size_t /*partition*/) {
    return nullptr;
  }
  /// By unit of the class: lanes that compute; nullptr: all.
  virtual const LaneMask* lanes_on(std::size_t /*partition*/, isa::UnitClass) const { return nullptr; }
  /// Most cycles that an instruction can wait until all of its lanes accept it, if its lanes do not change.
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
