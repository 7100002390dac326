#pragma once

// Models the choice between full and partial warps in the Origami scheduler (Abdel-Majeed 2016, 4.3.2 and
// 4.3.3). Active warps with an INT or FP instruction form two groups: full warps, which have 32 active lanes,
// and partial warps. The inputs are the numbers of full and partial warps. The output is the group that goes
// first. A Verilog block can check or replace this logic.
//
// Time is divided into phases. At the start of a phase, the larger group is chosen for the whole phase. After
// max_group_phases phases of one group in a row, the other group is chosen, so that neither group starves.
//
// The paper does not define these rules of the model:
// - Phases are counted from the first cycle of a kernel.
// - If both groups have the same size, the group of the previous phase stays chosen. In the first phase of a
//   kernel, the group of full warps is then chosen.
// - If the other group is empty when its turn comes, the same group stays chosen, and the count of phases in
//   a row restarts.

#include <memory>

#include "models/core/fields.h"
#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

struct OrigamiGroupsParameters {
  int phase_cycles = 300;
  int max_group_phases = 2;
  void fields(FieldVisitor& v) {
    v.field("phase_cycles", phase_cycles, {1, 1000000},
            "cycles for which a group of warps goes first (Abdel-Majeed 2016, 4.3.2)");
    v.field("max_group_phases", max_group_phases, {1, 255},
            "phases in a row after which the other group goes first (Abdel-Majeed 2016, 4.3.3)");
  }
};

struct OrigamiGroupsInputs {
  Cycle now = 0;
  bool begins = false;
  Cycle begun = 0;
  int full = 0;
  int partial = 0;
};

struct OrigamiGroupsOutputs {
  bool full_first = true;
  bool operator==(const OrigamiGroupsOutputs&) const = default;
};

/// Probe point of each choice between full and partial warps, for waveforms and Verilog blocks.
struct OrigamiGroupsPoint {
  using Owner = OrigamiGroupsParameters;
  using View = OrigamiGroupsInputs;
  using Answer = OrigamiGroupsOutputs;
};

class OrigamiGroups {
 public:
  explicit OrigamiGroups(const OrigamiGroupsParameters& parameters) : p_(parameters) {}

  OrigamiGroupsOutputs step(const OrigamiGroupsInputs& inputs);

 private:
  void begin_phase(const OrigamiGroupsInputs& inputs);

  OrigamiGroupsParameters p_;
  bool full_first_ = true;
  int phases_ = 0;
  Cycle end_ = 0;
  OrigamiGroupsInputs before_;
};

}  // namespace heddle
