#pragma once

// Models the priority logic of GATES (Abdel-Majeed 2016, 3.3.1 and Fig. 3.6). Inputs are the numbers of ready
// and active warps of each instruction type. The output is the instruction type to which each issue slot is
// given. A Verilog block can check or replace this logic.
//
// The order of the types is INT > LD/ST > SFU > FP (initially) or FP > LD/ST > SFU > INT. In every cycle,
// before slots are assigned, INT and FP exchange their positions if one of these rules holds:
// 1. The type with the highest priority ("highest type") has no active warp, but the type with the lowest
//    priority ("lowest type") has some (3.3.1). With switch_on_no_ready, the rule compares ready warps
//    instead (3.3). Rules 2 and 3 then do not raise a type without ready warps, because rule 1 would undo the
//    exchange in the next cycle.
// 2. With switch_on_blackout, all clusters of the highest type are in blackout, that is, gated (3.4). The
//    lowest type must have active warps and must not be in blackout, otherwise the next cycle would undo the
//    exchange.
// 3. With max_switch_cycles (3.3), the lowest type has had active warps for max_switch_cycles cycles since
//    its priority became the lowest. The rule does not apply while the lowest type is in blackout, because
//    rule 2 would undo the exchange.
//
// A type whose units are all gated gets no slot, but its ready warps are counted.

#include <array>
#include <memory>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/isa/opcode.h"

namespace heddle {

struct GatesPriorityParameters {
  bool switch_on_blackout = true;
  /// Limit on the cycles for which an instruction type keeps the lowest priority while it has active warps;
  /// 0: no limit.
  int max_switch_cycles = 0;
  bool switch_on_no_ready = false;
};

struct GatesInputs {
  /// Current cycle. If the caller has skipped cycles, the inputs of the previous call apply to the skipped
  /// cycles.
  Cycle now = 0;
  int slots = 1;
  /// Ready active warps by isa::UnitClass (INT_RDY, FP_RDY, SFU_RDY, LDST_RDY in the paper's Fig. 3.6). A
  /// warp counts as ready if it could issue with all units awake.
  std::array<int, 4> ready{};
  std::array<bool, 4> awake{};
  /// Active warps (ready or not) with INT or FP as their next instruction (INT_ACTV, FP_ACTV in the paper's
  /// Fig. 3.6).
  std::array<int, 2> active{};
  std::array<bool, 2> blackout{};  ///< for INT and FP: true if all clusters of the type are gated
};

struct GatesOutputs {
  isa::UnitClass highest = isa::UnitClass::int_;
  std::array<isa::UnitClass, 4> slots{};
  int count = 0;

  bool operator==(const GatesOutputs&) const = default;
};

/// Probe point of each cycle of the priority logic, for waveforms and Verilog blocks.
struct GatesPoint {
  using Owner = GatesPriorityParameters;
  using View = GatesInputs;
  using Answer = GatesOutputs;
};

class GatesPriority {
 public:
  virtual ~GatesPriority() = default;
  /// Chooses, for each issue slot of one cycle, the instruction type that may use it. The caller may skip
  /// cycles in which the inputs do not change.
  virtual GatesOutputs step(const GatesInputs& inputs) = 0;
};

std::unique_ptr<GatesPriority> make_gates_priority(const GatesPriorityParameters& parameters);

constexpr std::array<isa::UnitClass, 4> gates_order(isa::UnitClass highest) {
  using isa::UnitClass;
  return {highest, UnitClass::ldst, UnitClass::sfu,
          highest == UnitClass::int_ ? UnitClass::fp : UnitClass::int_};
}

}  // namespace heddle
