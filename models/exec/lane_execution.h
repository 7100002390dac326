#pragma once

// Execution in the physical lanes of a unit, for plans other than thread i in lane i with all lanes awake.

#include "models/core/probe.h"
#include "models/exec/lane_fold.h"
#include "models/ports/in_flight.h"

namespace heddle {

/// Parameters of a unit's lanes, for observers at its probe points.
struct LaneOwner {
  FoldRules rules;  ///< pack and split; `fold` depends on the instruction
};

/// View of the probe points of an INT or FP pipeline that moves threads. They are called for every pass of
/// every instruction that may move. Their answers replace the results.
struct LanePassView {
  Cycle now = 0;
  const InFlight& item;
  bool fold = false;       ///< the instruction issued in a cycle in which its type folds
  std::size_t number = 0;  ///< number of the pass
  const LanePass* pass = nullptr;
  /// Values that move: by thread (LaneShiftPoint), by lane (LaneReshiftPoint).
  const LaneVec* values = nullptr;
};
/// Probe point: the thread of each lane in a pass.
struct LaneMapPoint {
  using Owner = LaneOwner;
  using View = LanePassView;
  struct Answer {
    LanePass pass;
    int passes = 1;
  };
};
/// Probe point: a source operand's word in the lanes. Lanes without a thread hold poison.
struct LaneShiftPoint {
  using Owner = LaneOwner;
  using View = LanePassView;
  using Answer = LaneVec;
};
/// Probe point: a result's word by thread. Only threads of the pass count.
struct LaneReshiftPoint {
  using Owner = LaneOwner;
  using View = LanePassView;
  using Answer = LaneVec;
};
struct LaneProbes {
  explicit LaneProbes(const LaneOwner& o) : owner(o) {}
  bool attached() const { return map.attached() || shift.attached() || reshift.attached(); }
  void add_to(const ProbeScope& scope) {
    scope.add(map);
    scope.add(shift);
    scope.add(reshift);
  }
  LaneOwner owner;
  Probe<LaneMapPoint> map{owner};
  Probe<LaneShiftPoint> shift{owner};
  Probe<LaneReshiftPoint> reshift{owner};
};

/// Executes the instruction by its lane plan (or by the identity), pass by pass. Sources move into the
/// physical lanes, and results back to their threads. Lanes outside `awake` produce poison.
void execute_in_lanes(InFlight& item, LaneMask awake);
/// Like execute_in_lanes() without probes, but reports each pass to the probe points.
void execute_in_lanes(InFlight& item, LaneMask awake, Cycle now, const LaneProbes& probes);

/// Poisons the results of the threads that the plan assigns to `lanes`.
void poison_threads(InFlight& item, const LanePlan& plan, LaneMask lanes);

/// Plan in which every thread stays in its own lane.
LanePlan identity_plan(LaneMask threads);

}  // namespace heddle
