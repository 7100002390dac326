#pragma once

// Models the choice between full and partial warps in the Origami scheduler (Abdel-Majeed 2016, 4.3.2 and
// 4.3.3). The inputs are the numbers of full and partial warps. The output is the group that goes first. The
// logic does not access the warps themselves, so a Verilog block can check or replace it through its probe
// point.
//
// Active warps with an INT or FP instruction form two groups: full warps, which have 32 active lanes, and
// partial warps, which have fewer. Time is divided into phases. At the start of a phase, the larger group is
// chosen for the whole phase. After max_group_phases phases of one group in a row, the other group is chosen,
// so that neither group starves.
//
// The paper leaves some points open. This model decides them as follows:
// - Phases are counted from the first cycle of a kernel.
// - If both groups have the same size, the group of the previous phase stays chosen. In the first phase of a
//   kernel it is the group of full warps.
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
  /// Current cycle. A call may come after several skipped cycles. In skipped cycles the inputs of the
  /// previous call hold.
  Cycle now = 0;
  bool begins = false;  ///< true in the first call of step() for a kernel
  Cycle begun = 0;      ///< first cycle of the kernel
  int full = 0;         ///< number of active warps with an INT or FP instruction and 32 active lanes
  int partial = 0;  ///< number of active warps with an INT or FP instruction and fewer than 32 active lanes
};

struct OrigamiGroupsOutputs {
  bool full_first = true;
  bool operator==(const OrigamiGroupsOutputs&) const = default;
};

/// Probe point at which waveforms and Verilog blocks see each step of the choice between full and partial
/// warps. It is also called in the first cycle of a kernel.
struct OrigamiGroupsPoint {
  using Owner = OrigamiGroupsParameters;
  using View = OrigamiGroupsInputs;
  using Answer = OrigamiGroupsOutputs;
};

class OrigamiGroups {
 public:
  explicit OrigamiGroups(const OrigamiGroupsParameters& parameters) : p_(parameters) {}

  /// Computes the group that goes first in one cycle. The caller may skip cycles in which the inputs do not
  /// change; the results are the same.
  OrigamiGroupsOutputs step(const OrigamiGroupsInputs& inputs);

 private:
  void begin_phase(const OrigamiGroupsInputs& inputs);

  OrigamiGroupsParameters p_;
  bool full_first_ = true;
  int phases_ = 0;  ///< number of consecutive phases in which the same group has been chosen
  Cycle end_ = 0;   ///< first cycle of the next phase
  OrigamiGroupsInputs before_;
};

}  // namespace heddle
