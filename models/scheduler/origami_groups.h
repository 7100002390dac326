#pragma once

// Models the groups of the Origami scheduler (Abdel-Majeed 2016, 4.3.2 and 4.3.3) without the warps. Counters
// of warps are the inputs, and the group that goes first is the output. A Verilog block can check or replace
// this logic through its probe point.
//
// Active warps with an INT or FP instruction are in one of two groups: warps with 32 active lanes, and warps
// with fewer. When a phase begins, the larger group is chosen for the phase. After max_group_phases phases of
// one group in a row the other group is chosen, so that neither starves.
//
// The paper leaves these points open. They are decided as follows:
//   - Phases are counted from the first cycle of a kernel.
//   - If both groups have the same size, the choice stays the same. The group of full warps is chosen first.
//   - If the other group is empty when its turn comes, the choice stays and the count of phases in a row
//     restarts.

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
  Cycle now = 0;        ///< current cycle; in skipped cycles the inputs of the preceding step hold
  bool begins = false;  ///< true in the first step of a kernel
  Cycle begun = 0;      ///< first cycle of the kernel
  int full = 0;         ///< active warps with an INT or FP instruction and 32 active lanes
  int partial = 0;      ///< active warps with an INT or FP instruction and fewer active lanes
};

struct OrigamiGroupsOutputs {
  bool full_first = true;
  bool operator==(const OrigamiGroupsOutputs&) const = default;
};

/// Probe point of every step, and of the beginning of a kernel in its first cycle.
struct OrigamiGroupsPoint {
  using Owner = OrigamiGroupsParameters;
  using View = OrigamiGroupsInputs;
  using Answer = OrigamiGroupsOutputs;
};

class OrigamiGroups {
 public:
  explicit OrigamiGroups(const OrigamiGroupsParameters& parameters) : p_(parameters) {}

  /// Runs one cycle. The caller may skip cycles without changes of the inputs. The results are the same.
  OrigamiGroupsOutputs step(const OrigamiGroupsInputs& inputs);

 private:
  void begin_phase(const OrigamiGroupsInputs& inputs);

  OrigamiGroupsParameters p_;
  bool full_first_ = true;
  int phases_ = 0;  ///< number of consecutive phases in which the group that goes first has been chosen
  Cycle end_ = 0;   ///< first cycle of the next phase
  OrigamiGroupsInputs before_;
};

}  // namespace heddle
