#pragma once

// Parameters of warp folding and lane shifting.

#include <string>

#include "models/core/fields.h"
#include "models/core/registry.h"
#include "models/exec/lane_fold.h"
#include "models/ports/lane_plans.h"

namespace heddle {

struct FoldingParameters {
  ConfigNode policy = ConfigNode::make_string("none");
  std::string lane_shift = "off", split = "position";
  int extra_cycles = 2;
  bool holds_port = true;

  FoldRules rules() const { return {false, lane_shift == "pack", split == "rank"}; }
  /// True if the INT and FP pipelines have the logic that moves threads between lanes.
  bool moves_threads() const { return choice_name(policy) != "none" || lane_shift != "off"; }
  LaneMoves moves() const {
    const FoldRules moved = rules();
    return {true, moved.pack, moved.by_rank, extra_cycles, holds_port};
  }

  void fields(FieldVisitor& v) {
    v.choice("policy", policy, "fold policy",
             "when warps of INT and FP instructions fold (Abdel-Majeed 2016, 4.3.1)");
    v.field("lane_shift", lane_shift, {"off", "pack"},
            "threads of INT and FP instructions stay in their lanes, or move to the lowest lanes of their "
            "quad (Abdel-Majeed 2016, 4.3.2)");
    v.field("split", split, {"position", "rank"},
            "threads of a quad in the first pass: those of its lanes 0 and 1 (Abdel-Majeed 2016, Fig. 4.8), "
            "or the first two");
    v.field("extra_cycles", extra_cycles, {0, 100},
            "stages that shifting and re-shifting add to INT and FP operations, folded or not; 0 where "
            "neither folding nor lane shifting is configured (Abdel-Majeed 2016, 4.3.4)");
    v.field("holds_port", holds_port,
            "a folded instruction keeps the SP's operand register, and so its dispatch port, until its "
            "second pass starts (Abdel-Majeed 2016, 4.3.4)");
    v.off("policy", "none", {"split", "extra_cycles", "holds_port"});
    v.off("lane_shift", "off", {"split", "extra_cycles", "holds_port"});
  }
};

}  // namespace heddle
