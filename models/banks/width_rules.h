#pragma once

// Computes how many bytes of a register are stored after a write (its width), for all entry formats that
// store narrow values in fewer sub-banks.

#include <string>

#include "models/banks/width_code.h"
#include "models/core/fields.h"

namespace heddle {

struct WidthParameters {
  std::string width = "uniform", partial_writes = "widen";
  int detect_cycles = 0, expand_cycles = 0;

  void fields(FieldVisitor& v) {
    v.field("width", width, {"uniform", "signed"},
            "high bytes that are not stored: those that are 0x00, or 0xff, in every lane; or those that "
            "repeat their lane's sign (Radaideh 2021, IV-B5)");
    v.field("partial_writes", partial_writes, {"widen", "full"},
            "a write that keeps lanes of the old value widens the row to the width that both values need, or "
            "to full width (Radaideh 2021, IV-B6 does not treat divergence)");
    v.field("detect_cycles", detect_cycles, {0, 16},
            "cycles that finding the width adds to a write (Radaideh 2021: within write-back)");
    v.field("expand_cycles", expand_cycles, {0, 16},
            "cycles that expanding adds to a read (Radaideh 2021: none)");
  }
};

struct WidthRules {
  explicit WidthRules(const WidthParameters& p)
      : rule(p.width == "uniform" ? WidthRule::uniform : WidthRule::extended),
        widens(p.partial_writes == "widen"),
        detect_cycles(p.detect_cycles),
        expand_cycles(p.expand_cycles) {}

  Width after_partial(Width held, Width written) const {
    return widens ? joined_width(held, written) : Width{};
  }

  WidthRule rule;
  bool widens;
  int detect_cycles, expand_cycles;
};

inline bool complete(LaneMask mask, LaneMask live) { return (live & ~mask) == 0; }

}  // namespace heddle
