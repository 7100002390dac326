#pragma once

// One pipelined execution unit: an INT or FP pipeline of an SP cluster, or a special function unit. Takes at
// most one warp-instruction a cycle (by the interval of the operation before), computes all lanes when it
// starts and gives the result out after the depth of the operation.

#include <vector>

#include "models/core/stats.h"
#include "models/exec/unit_parameters.h"
#include "models/ports/clock.h"
#include "models/ports/instruction_path.h"

namespace heddle {

class ExecutionUnit : public ClockedModule {
 public:
  /// `overhead_cycles`: cycles between issue and dependent issue that pass outside the unit; the depth of an
  /// operation is its latency less these. Throws Error if that leaves no cycle for an operation class the
  /// unit executes.
  ExecutionUnit(const sc_core::sc_module_name& name, Clock& clock, const UnitParameters& parameters,
                isa::UnitClass unit_class, int overhead_cycles, const StatsScope& stats);

  InstructionTargetSocket& input() { return input_.socket; }
  InstructionInitiatorSocket& output() { return output_.socket; }
  isa::UnitClass unit_class() const { return unit_class_; }

  /// Whether an instruction is anywhere in the unit.
  bool busy() const { return !input_.empty() || !pipeline_.empty(); }
  const InFlight* newest() const { return pipeline_.empty() ? nullptr : pipeline_.back().item; }

 protected:
  void tick() override;

 private:
  struct Stage {
    Cycle done;
    InFlight* item;
  };
  void start();
  void finish();

  isa::UnitClass unit_class_;
  std::array<int, static_cast<std::size_t>(isa::OpClass::count_)> depth_{}, interval_{};
  InstructionInlet input_;
  InstructionOutlet output_;
  std::vector<Stage> pipeline_;  ///< by cycle of completion, earliest first
  Cycle next_start_ = 0;
  Counter &operations_, &lane_operations_, &busy_cycles_;
  /// Lanes of the class that costs several times the energy of the unit's other operations.
  isa::OpClass costly_class_ = isa::OpClass::count_;
  Counter* costly_lanes_ = nullptr;
  Cycle busy_until_ = 0;
};

}  // namespace heddle
