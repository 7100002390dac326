#pragma once

// Executes instructions with threads in lanes other than their own, or with some lanes gated.

#include "models/core/probe.h"
#include "models/exec/lane_fold.h"
#include "models/ports/in_flight.h"

namespace heddle {

/// Description of the unit that owns a probe point, for observers: the rules by which it assigns threads to
/// lanes.
struct LaneOwner {
  FoldRules rules;
};

/// Data for the probe points of an INT or FP pipeline that moves threads between lanes. The pipeline reports
/// every pass of an instruction to these points. A Verilog block can replace their results.
struct LanePassView {
  Cycle now = 0;
  const InFlight& item;
  bool fold = false;
  std::size_t number = 0;
  const LanePass* pass = nullptr;
  /// Values of one word for all 32 threads. At LaneShiftPoint, element i belongs to thread i. At
  /// LaneReshiftPoint, element i belongs to lane i.
  const LaneVec* values = nullptr;
};
/// Probe point to which each pass of an instruction reports the thread that each lane executes.
struct LaneMapPoint {
  using Owner = LaneOwner;
  using View = LanePassView;
  struct Answer {
    LanePass pass;
    int passes = 1;
  };
};
/// Probe point to which each pass of an instruction reports one word of a source operand, as the lanes receive
/// this word. Lanes without a thread hold poison (kPoison).
struct LaneShiftPoint {
  using Owner = LaneOwner;
  using View = LanePassView;
  using Answer = LaneVec;
};
/// Probe point to which each pass of an instruction reports one word of a result, moved from the lanes back
/// to the threads. Only threads that execute in this pass have valid values.
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

/// Executes the instruction pass by pass. Each thread runs in the lane that the instruction's lane plan assigns
/// to this thread. Without a plan, each thread runs in its own lane. Lanes that are not in `awake` produce
/// poison (kPoison).
void execute_in_lanes(InFlight& item, LaneMask awake);
/// Executes the instruction pass by pass, and reports each pass to the probe points.
void execute_in_lanes(InFlight& item, LaneMask awake, Cycle now, const LaneProbes& probes);

/// Writes poison (kPoison) over the results of the threads that `plan` assigns to `lanes`.
void poison_threads(InFlight& item, const LanePlan& plan, LaneMask lanes);

LanePlan identity_plan(LaneMask threads);

}  // namespace heddle
