#pragma once

// The priority logic of GATES (Abdel-Majeed 2016, 3.3.1 and Fig. 3.6) apart from the warps: counters in,
// classes out. A Verilog block stands beside it, or in its place, through its probe point.
//
// One of INT and FP is the highest type, the other the lowest: INT/FP > LDST > SFU > FP/INT. INT is highest
// at first. In every step, before slots are given out, they change places
//   1. if the highest type has no active warp while the other has some (3.3.1); with switch_on_no_ready, if it
//      has no ready one while the other has some (3.3), and rules 2 and 3 then do not switch to a type that has
//      none either, which rule 1 would take back;
//   2. with switch_on_blackout, if all clusters of the highest type are in blackout (3.4), and the other type
//      has active warps and is not in blackout itself: a switch to a type that cannot issue would be taken
//      back by rule 1 in the next cycle;
//   3. with max_switch_cycles (3.3), if the other type has had active warps for so many cycles since it
//      became the lowest one; not while it is in blackout, where rule 2 would take the switch back.
// Instructions of a type whose units all sleep count in its ready counter, but get no slot.

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
  Cycle now = 0;                ///< the inputs of the step before held in the cycles between
  int slots = 1;                ///< issue slots left, at most 4
  std::array<int, 4> ready{};   ///< INT_RDY, FP_RDY, SFU_RDY, LDST_RDY: by isa::UnitClass, active warps that
                                ///< could issue but for gating
  std::array<bool, 4> awake{};  ///< some unit of the class can take instructions
  std::array<int, 2> active{};  ///< INT_ACTV, FP_ACTV: active warps with such an instruction, ready or not
  std::array<bool, 2> blackout{};  ///< INT, FP: all clusters are gated
};

struct GatesOutputs {
  isa::UnitClass highest = isa::UnitClass::int_;
  std::array<isa::UnitClass, 4> slots{};  ///< classes of the issue slots, in order
  int count = 0;                          ///< slots that are used

  bool operator==(const GatesOutputs&) const = default;
};

/// Probe point: every step.
struct GatesPoint {
  using Owner = GatesPriorityParameters;
  using View = GatesInputs;
  using Answer = GatesOutputs;
};

class GatesPriority {
 public:
  virtual ~GatesPriority() = default;
  /// One cycle. Cycles without changes may be skipped; the answers are the same.
  virtual GatesOutputs step(const GatesInputs& inputs) = 0;
};

std::unique_ptr<GatesPriority> make_gates_priority(const GatesPriorityParameters& parameters);

/// Classes from the highest to the lowest.
constexpr std::array<isa::UnitClass, 4> gates_order(isa::UnitClass highest) {
  using isa::UnitClass;
  return {highest, UnitClass::ldst, UnitClass::sfu,
          highest == UnitClass::int_ ? UnitClass::fp : UnitClass::int_};
}

}  // namespace heddle
