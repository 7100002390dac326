#pragma once

// Processes the reports of the back end one cycle after they are made. They report sources that have been
// read, collectors that are free again, and results that are visible. A report of a warp's last instruction
// ends the warp.

#include <functional>

#include "models/sm/issue_state.h"

namespace heddle {

class BackEndReports {
 public:
  /// `warp_ended` is called in the cycle in which a warp's last instruction completes.
  BackEndReports(IssueState& state, std::function<void(WarpId)> warp_ended)
      : s_(state), issue_width_(state.parameters.issue_width), warp_ended_(std::move(warp_ended)) {}

  void take_in();
  /// Ends the warp if it has exited and none of its instructions is in flight.
  void finish_if_drained(WarpId id);

  /// True if a scheduler can fill more collectors in a cycle than at the last forget_collectors().
  bool collectors_came() const { return collectors_came_; }
  void forget_collectors() { collectors_came_ = false; }

 private:
  [[gnu::always_inline]] inline void take(LifeChannel::Told told);
  [[gnu::always_inline]] inline void dispatched(InFlight& item, const WarpProgress& warp,
                                                const InstructionFootprint& footprint);
  inline void complete(InFlight& item, WarpProgress& progress, const InstructionFootprint& footprint);
  inline void write_predicates(const InFlight& item);
  void reads_over(WarpId id, const InstructionFootprint& instruction) {
    s_.warps.scoreboard(id).reads_done(instruction);
    s_.readiness.reads_over(id, instruction);
  }
  /// The instruction has left its unit by cycle `now`.
  void end_use(const InFlight& item, Cycle now) {
    s_.units.leave(now, s_.warps.progress(item.warp()).partition, item);
  }
  void left_near(WarpId id) {
    if (--s_.warps.progress(id).near_in_flight == 0) s_.readiness.drained(id);
  }

  IssueState& s_;
  int issue_width_;
  std::function<void(WarpId)> warp_ended_;
  bool collectors_came_ = false;
};

}  // namespace heddle
