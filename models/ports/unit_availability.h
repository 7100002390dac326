#pragma once

// Interface that shows which execution units, or lanes of units, accept instructions in a cycle. A
// power-gated unit accepts no instruction. The issue stage reports used units and waiting instructions, so
// that gated units can wake. The class UnitAvailability itself is the default: every unit accepts every
// instruction in every cycle.
//
// In a cycle with resident warps in which advance() is due, the issue stage calls:
// 1. advance()
// 2. leave() for instructions that have left their unit
// 3. use() for instructions that issue
// 4. set_demand(), after the counts of demand() are filled in

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/core/probe.h"
#include "models/core/unit_view.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/instruction_path.h"

namespace heddle {

/// Lanes that waiting instructions of one unit class need, one mask for each instruction. Only instructions
/// that could issue if all lanes accepted them count, and at most as many as there are issue slots.
struct LaneDemand {
  std::array<LaneMask, 8> lanes{};
  int count = 0;
  void add(LaneMask needed) {
    if (count < static_cast<int>(lanes.size())) lanes[static_cast<std::size_t>(count++)] = needed;
  }
};

struct UnitDemand {
  int waiting = 0;
  /// how many of the `waiting` warps request that a gated unit wakes (see UnitAvailability::demand_in_order)
  int wanting = 0;
  LaneDemand lanes;  ///< lanes that the waiting instructions need; set only if UnitView::lanes is set
  /// lanes that no instruction will use soon; set only if UnitView::lanes is set
  LaneMask spared = 0;
};

class UnitAvailability : public LifeListener {
 public:
  explicit UnitAvailability(std::size_t partitions) : partitions_(partitions) {
    for (Partition& partition : partitions_) partition.units.fill({~UnitSet{0}, ~UnitSet{0}, 0, nullptr});
  }
  virtual ~UnitAvailability() = default;

  std::size_t partitions() const { return partitions_.size(); }
  const UnitViews& units(std::size_t partition) const { return partitions_[partition].units; }
  /// True if units may stop accepting instructions. If not, the issue stage calls only use() and leave().
  bool varies() const { return varies_; }
  Cycle next_change() const { return next_change_; }
  /// Called when a kernel begins in `cycle`. The object must then set the units that units() returns for this
  /// cycle.
  virtual void begin_kernel(Cycle /*cycle*/) {}
  virtual bool advance(Cycle /*now*/) { return false; }

  /// Returns the units of `able` that the instruction should use. `able`: units that accept the instruction.
  /// Called only if prefers() is true.
  virtual UnitSet preferred(Cycle /*now*/, std::size_t /*partition*/, const InFlight&, UnitSet able) {
    return able;
  }
  bool prefers() const { return prefers_; }
  /// Records that the instruction issues to unit `cluster` of its class (-1: the load/store unit) and uses
  /// the lanes in InFlight::lanes. Throws InternalError if the unit does not accept the instruction.
  virtual void use(Cycle /*now*/, std::size_t /*partition*/, const InFlight&) {}
  /// Records that the instruction has left its unit; its last cycle in the unit was `now - 1`. If varies()
  /// is false, the pipelines may instead report the event `left` in this last cycle.
  virtual void leave(Cycle /*now*/, std::size_t /*partition*/, const InFlight&) {}

  /// Returns the numbers of warps that need a unit class. The SM adds to these numbers after the scheduler
  /// policy has picked its warps (sm/unit_demand.h), and then calls set_demand(), which uses the numbers.
  UnitDemand& demand(std::size_t partition, std::size_t unit) { return partitions_[partition].demand[unit]; }
  /// True: only the warps that the scheduler would choose request that a gated unit wakes. False: all warps
  /// that could issue if the unit were awake make this request.
  bool demand_in_order() const { return demand_in_order_; }
  virtual void set_demand(Cycle /*now*/) {}

  /// Creates a module to be inserted between the operand collectors of a partition and its units; nullptr: no
  /// module is needed. `prefix`: first part of the module's name.
  virtual std::unique_ptr<InstructionTap> tap(const std::string& /*prefix*/, std::size_t /*partition*/) {
    return nullptr;
  }
  /// Returns, for each unit of the class, the lanes that compute. nullptr: all lanes compute.
  virtual const LaneMask* lanes_on(std::size_t /*partition*/, isa::UnitClass) const { return nullptr; }
  /// Returns the largest number of cycles for which an instruction waits until its unit accepts all its lanes.
  /// The number holds as long as the assignment of threads to lanes does not change.
  virtual Cycle longest_wait() const { return 0; }
  virtual void settle(Cycle /*cycle*/) {}
  virtual void check_conservation() const {}
  virtual void probes(const ProbeScope&) {}

 protected:
  struct Partition {
    UnitViews units{};  ///< units that accept instructions in the current cycle
    std::array<UnitDemand, kUnitClasses>
        demand{};  ///< demand for units in the current cycle, by isa::UnitClass
  };
  std::vector<Partition> partitions_;
  Cycle next_change_ = kNever;
  bool varies_ = false, prefers_ = false, demand_in_order_ = false;
};

}  // namespace heddle
