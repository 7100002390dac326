#pragma once

// Execution in the lanes of a unit, for plans other than thread i in lane i with all lanes awake.

#include "models/core/probe.h"
#include "models/exec/lane_fold.h"
#include "models/ports/in_flight.h"

namespace heddle {

/// Constants of a unit's lanes, for observers at its probe points.
struct LaneOwner {
  FoldRules rules;  ///< pack and split; `fold` is an instruction's own
};

/// Probe points of an INT or FP pipeline that moves threads, called for every pass of every instruction that
/// may move. Their answers replace the results.
struct LanePassView {
  Cycle now = 0;
  const InFlight& item;
  bool fold = false;       ///< the instruction issued in a fold window
  std::size_t number = 0;  ///< of the pass
  const LanePass* pass = nullptr;
  const LaneVec* values = nullptr;  ///< that move: by thread (LaneShiftPoint), by lane (LaneReshiftPoint)
};
/// Which lanes execute whose threads.
struct LaneMapPoint {
  using Owner = LaneOwner;
  using View = LanePassView;
  struct Answer {
    LanePass pass;
    int passes = 1;
  };
};
/// A source operand's word in the lanes; poison where nothing feeds a lane.
struct LaneShiftPoint {
  using Owner = LaneOwner;
  using View = LanePassView;
  using Answer = LaneVec;
};
/// A result's word by thread; only that of threads of the pass counts.
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

/// Executes the instruction by its lane plan (or by the identity), pass by pass: sources move into the
/// physical lanes, results back to their threads. Lanes not in `awake` give poison.
void execute_in_lanes(InFlight& item, LaneMask awake);
/// The same with an observer at the probe points.
void execute_in_lanes(InFlight& item, LaneMask awake, Cycle now, const LaneProbes& probes);

/// Results of the threads that the plan puts into `lanes` are lost: poison.
void poison_threads(InFlight& item, const LanePlan& plan, LaneMask lanes);

/// Every thread in its own lane.
LanePlan identity_plan(LaneMask threads);

}  // namespace heddle
