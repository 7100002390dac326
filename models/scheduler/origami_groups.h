#pragma once

// The groups of the Origami scheduler (Abdel-Majeed 2016, 4.3.2 and 4.3.3) apart from the warps: counters in,
// the group that goes first out. A Verilog block stands beside it, or in its place, through its probe point.
//
// Active warps with an INT or FP instruction are in one of two groups: those with 32 active lanes, and those
// with fewer. When a phase begins, the larger group is chosen for it; after a number of phases in a row of
// one group the other one is, so that none starves.
//
// Left open by the paper, and settled so:
//   - Phases count from the beginning of a kernel.
//   - Groups of the same size: the choice stays as it is; full warps at first.
//   - The other group is empty when it is its turn: no change, and the phases in a row count anew.

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
  Cycle now = 0;        ///< the inputs of the step before held in the cycles between
  bool begins = false;  ///< the first step of a kernel
  Cycle begun = 0;      ///< the kernel's first cycle
  int full = 0;         ///< active warps with an INT or FP instruction and 32 active lanes
  int partial = 0;      ///< with fewer
};

struct OrigamiGroupsOutputs {
  bool full_first = true;
  bool operator==(const OrigamiGroupsOutputs&) const = default;
};

/// Probe point: every step, and the beginning of a kernel, reported in its first cycle.
struct OrigamiGroupsPoint {
  using Owner = OrigamiGroupsParameters;
  using View = OrigamiGroupsInputs;
  using Answer = OrigamiGroupsOutputs;
};

class OrigamiGroups {
 public:
  explicit OrigamiGroups(const OrigamiGroupsParameters& parameters) : p_(parameters) {}

  /// One cycle. Cycles without changes may be skipped; the answers are the same.
  OrigamiGroupsOutputs step(const OrigamiGroupsInputs& inputs);

 private:
  void begin_phase(const OrigamiGroupsInputs& inputs);

  OrigamiGroupsParameters p_;
  bool full_first_ = true;
  int phases_ = 0;  ///< in a row, of the group that goes first
  Cycle end_ = 0;   ///< first cycle of the next phase
  OrigamiGroupsInputs before_;
};

}  // namespace heddle
