#pragma once

// Parameters of the GATES scheduler (Abdel-Majeed 2016, 3.3), and the function that creates schedulers based
// on GATES, such as Origami. A scheduler based on GATES may order the warps within an instruction type.

#include <memory>

#include "models/scheduler/active_set.h"
#include "models/scheduler/gates_priority.h"

namespace heddle {

struct GatesParameters {
  ActiveSetParameters set = {8, "round-robin", false};
  GatesPriorityParameters priority;
  std::string switch_when_empty = "active";
  void fields(FieldVisitor& v) {
    set.fields(v);
    v.field("switch_on_blackout", priority.switch_on_blackout,
            "INT and FP change priorities when all clusters of the type of higher priority are gated "
            "(Abdel-Majeed 2016, 3.4, with coordinated blackout)");
    v.field("switch_when_empty", switch_when_empty, {"active", "ready"},
            "INT and FP change priorities when the type of higher priority has no active warp (Abdel-Majeed "
            "2016, 3.3.1), or no ready warp (Abdel-Majeed 2016, 3.3)");
    v.field("max_switch_cycles", priority.max_switch_cycles, {0, 1000000},
            "cycles after which INT and FP change priorities while both have active warps (Abdel-Majeed "
            "2016, 3.3); 0: no limit");
  }
};

/// Chooses the warps that issue before other warps with the same instruction type (INT, FP, SFU or LD/ST).
class WarpPreference {
 public:
  virtual ~WarpPreference() = default;
  /// Returns the preferred warps, which issue before other warps with the same instruction type. Called once
  /// a cycle. `issuing`: active warps that may issue.
  virtual WarpSet first(const SchedulerView& view, WarpSet issuing) = 0;
  virtual void begin(Cycle /*now*/) {}
  virtual void probes(const ProbeScope&) {}
};

std::unique_ptr<SchedulerPolicy> make_gates(const GatesParameters& parameters, SchedulerContext& context,
                                            std::unique_ptr<WarpPreference> preference);

}  // namespace heddle
