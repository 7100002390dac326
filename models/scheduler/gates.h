#pragma once

// The GATES scheduler (gates.cpp) for policies that give its issue slots to other warps of the same type.

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
            "INT and FP change priorities when all clusters of the higher one are gated (Abdel-Majeed 2016, "
            "3.4, with coordinated blackout)");
    v.field("switch_when_empty", switch_when_empty, {"active", "ready"},
            "INT and FP change priorities when the higher one has no active warp (Abdel-Majeed 2016, 3.3.1), "
            "or no ready one (Abdel-Majeed 2016, 3.3)");
    v.field("max_switch_cycles", priority.max_switch_cycles, {0, 1000000},
            "cycles after which INT and FP change priorities while both have active warps (Abdel-Majeed "
            "2016, 3.3); 0: no limit");
  }
};

/// Which warps go first among those of one type.
class WarpPreference {
 public:
  virtual ~WarpPreference() = default;
  /// Called once in each choose(): `issuing` are the active warps that may issue. The other warps of a type
  /// have their turn when no warp of the answer is ready.
  virtual WarpSet first(const SchedulerView& view, WarpSet issuing) = 0;
  virtual void begin(Cycle /*now*/) {}
  virtual void probes(const ProbeScope&) {}
};

std::unique_ptr<SchedulerPolicy> make_gates(const GatesParameters& parameters, SchedulerContext& context,
                                            std::unique_ptr<WarpPreference> preference);

}  // namespace heddle
