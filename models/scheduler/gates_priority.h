#pragma once

// Models the priority logic of GATES (Abdel-Majeed 2016, 3.3.1 and Fig. 3.6) without the warps. Counters of
// warps are the inputs, and instruction types for the issue slots are the outputs. A Verilog block can check
// or replace this logic through its probe point.
//
// Either INT or FP is the highest type, and the other is the lowest: INT/FP > LDST > SFU > FP/INT. INT is
// highest at first. In every step, INT and FP change places before slots are assigned, if one of these rules
// holds:
//   1. The highest type has no active warp, but the lowest type has some (3.3.1). With switch_on_no_ready,
//      the rule compares ready warps instead (3.3). Rules 2 and 3 then do not switch to a type without ready
//      warps, because rule 1 would switch back in the next cycle.
//   2. With switch_on_blackout, all clusters of the highest type are in blackout (3.4). The lowest type must
//      have active warps and must not be in blackout, because rule 1 would otherwise switch back in the next
//      cycle.
//   3. With max_switch_cycles (3.3), the lowest type has had active warps for this number of cycles since it
//      became lowest. The rule does not apply while the lowest type is in blackout, because rule 2 would
//      switch back.
//
// The ready counter of a type includes instructions whose units all sleep. Such a type gets no slot.

#include <array>
#include <memory>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/isa/opcode.h"

namespace heddle {

struct GatesPriorityParameters {
  bool switch_on_blackout = true;
  int max_switch_cycles = 0;  ///< 0: no limit
  bool switch_on_no_ready = false;
};

struct GatesInputs {
  Cycle now = 0;  ///< current cycle; in skipped cycles the inputs of the preceding step hold
  int slots = 1;  ///< free issue slots, at most 4
  /// INT_RDY, FP_RDY, SFU_RDY, LDST_RDY, by isa::UnitClass: active warps that could issue if no unit were
  /// gated.
  std::array<int, 4> ready{};
  std::array<bool, 4> awake{};  ///< by isa::UnitClass: at least one unit accepts instructions
  /// INT_ACTV, FP_ACTV: active warps whose next instruction is of this type, ready or not.
  std::array<int, 2> active{};
  std::array<bool, 2> blackout{};  ///< INT, FP: all clusters are gated
};

struct GatesOutputs {
  isa::UnitClass highest = isa::UnitClass::int_;
  std::array<isa::UnitClass, 4> slots{};  ///< types of the issue slots, in order
  int count = 0;                          ///< number of slots that are assigned

  bool operator==(const GatesOutputs&) const = default;
};

/// Probe point of every step.
struct GatesPoint {
  using Owner = GatesPriorityParameters;
  using View = GatesInputs;
  using Answer = GatesOutputs;
};

class GatesPriority {
 public:
  virtual ~GatesPriority() = default;
  /// Runs one cycle. The caller may skip cycles without changes of the inputs. The results are the same.
  virtual GatesOutputs step(const GatesInputs& inputs) = 0;
};

std::unique_ptr<GatesPriority> make_gates_priority(const GatesPriorityParameters& parameters);

/// Returns the types from the highest to the lowest priority.
constexpr std::array<isa::UnitClass, 4> gates_order(isa::UnitClass highest) {
  using isa::UnitClass;
  return {highest, UnitClass::ldst, UnitClass::sfu,
          highest == UnitClass::int_ ? UnitClass::fp : UnitClass::int_};
}

}  // namespace heddle
