#pragma once

// Parameters of the fold policy "phased", for the policy and for the Verilog block that models it.

#include "models/core/fields.h"
#include "models/core/ids.h"

namespace heddle {

struct PhasedFoldParameters {
  int phase_cycles = 300;
  int aggressive_percent = 70;
  int conservative_percent = 40;
  bool adaptive = true;
  int busy_percent = 90;

  /// Returns the number of cycles at the start of a phase in which instructions are folded: `percent` percent
  /// of the phase.
  Cycle window(int percent) const {
    return static_cast<Cycle>(phase_cycles) * static_cast<Cycle>(percent) / 100;
  }
  /// Smallest number of used issue slots for which a phase counts as busy. `slots`: number of issue slots per
  /// cycle.
  std::uint64_t busy(int slots) const {
    const auto possible = static_cast<std::uint64_t>(slots) * static_cast<std::uint64_t>(phase_cycles);
    return (possible * static_cast<std::uint64_t>(busy_percent) + 99) / 100;
  }

  void fields(FieldVisitor& v) {
    v.field("phase_cycles", phase_cycles, {1, 1000000},
            "length of a phase; the folding type is decided at its beginning (Abdel-Majeed 2016, 4.3.1.1: "
            "250-400 are best)");
    v.field("aggressive_percent", aggressive_percent, {0, 100},
            "part of a phase for which the type that fewer warps have next, INT or FP, folds (Abdel-Majeed "
            "2016, 4.3.1.1)");
    v.field(
        "conservative_percent", conservative_percent, {0, 100},
        "part of a phase for which the type that more warps have next folds (Abdel-Majeed 2016, 4.3.1.1)");
    v.field("adaptive", adaptive,
            "no instruction folds in a phase after a busy phase (Abdel-Majeed 2016, 4.3.1.1)");
    v.field("busy_percent", busy_percent, {1, 100},
            "share of its issue slots that a phase must use to be busy (Abdel-Majeed 2016, 4.3.1.1)");
  }
};

}  // namespace heddle
