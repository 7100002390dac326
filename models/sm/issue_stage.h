#pragma once

// Models the issue stage of an SM. In every cycle the constraints of each scheduler decide which warps may
// issue, and the scheduler's policy picks among them. Picks go to the operand collectors of their partition.
// Control instructions execute at issue. The parts of the stage share one state (issue_state.h): the turns of
// the schedulers (scheduler_turns.h), the issue of a pick (instruction_issue.h), the reports of the back end
// (back_end_reports.h), and control instructions (control_execution.h). Subscribers receive events of
// instructions through the life channel (models/ports/life_channel.h).

#include <span>
#include <string>

#include "models/sm/back_end_reports.h"
#include "models/sm/instruction_issue.h"
#include "models/sm/scheduler_turns.h"

namespace heddle {

class IssueStage : public ClockedModule {
 public:
  using Wiring = IssueWiring;
  IssueStage(const sc_core::sc_module_name& name, const Wiring& wiring);

  /// Socket for instructions from the front end.
  InstructionTargetSocket& input() { return s_.buffers.socket; }
  /// output(): instructions to the collectors of a partition. results(): results of control instructions to
  /// its result bus.
  InstructionInitiatorSocket& output(int partition) {
    return s_.partitions[static_cast<std::size_t>(partition)].collectors->socket;
  }
  InstructionInitiatorSocket& results(int partition) {
    return s_.partitions[static_cast<std::size_t>(partition)].results->socket;
  }
  /// Connects the register path of a partition, for everything except instructions, which go through the
  /// sockets.
  void connect(int partition, RegisterPort& port);

  /// True if a constraint uses the claims of warps on registers.
  bool follows_holdings() const { return s_.constraints.needs().holdings; }
  WarpResidency& residency() { return s_.residency; }
  const WarpResidency& residency() const { return s_.residency; }
  /// Called when every partition is connected and its stages have subscribed. `hears_flags`: the front end
  /// attaches release flags.
  void assembled(std::span<const RegisterClaims* const> by_partition, bool hears_flags);
  /// Adds the probe points of the constraints.
  void probes(const ProbeScope& scope) { s_.constraints.probes(scope); }

  int partition_of(WarpId warp) const { return static_cast<int>(s_.parameters.homes().partition(warp)); }

  /// The kernel ends, and its program may be destroyed.
  void end_kernel() { s_.accounts.sum_up(); }
  /// A kernel begins. Issue slots count from `cycle` on.
  void begin_kernel(Cycle cycle, const LoadedKernel& kernel);
  /// Starts a warp, which can fetch from the next cycle on. Its registers must be mapped.
  void start_warp(const WarpContext& context, const LoadedKernel& kernel);
  BarrierUnit& barriers() { return issue_.control().barriers(); }
  /// Sets the planner of lanes for instructions that issue from now on; nullptr: each thread stays in its own
  /// lane.
  void set_lane_planner(LanePlanner* planner) { s_.lanes.set_planner(planner); }

  SchedulerTurns& schedulers() { return schedulers_; }
  const SchedulerTurns& schedulers() const { return schedulers_; }
  const WarpState& warp(WarpId id) const { return s_.warps.state(id); }
  bool resident(WarpId id) const { return s_.warps.taken().contains(id); }
  int max_warps() const { return s_.warps.slots(); }
  std::uint64_t issued() const { return s_.accounts.instructions.value(); }
  std::uint64_t in_flight() const { return s_.records.outstanding(); }
  Cycle last_issue() const { return issue_.last_issue(); }
  /// Warps that issued in the last cycle that ran.
  WarpSet issued_now() const { return issue_.issued_now(); }

  /// Makes the counters exact up to `cycle`, which is excluded.
  void settle(Cycle cycle);
  /// Throws InternalError unless issued = completed + in flight, and slots = issued + idle.
  void check_conservation() const;

  /// Describes why a warp waits, for dead-lock reports.
  std::string describe(WarpId id) const {
    return s_.describe(id, issue_.control().barriers().describe(warp(id).context.cta_slot));
  }
  /// Activity of every warp in this cycle, for waveforms, timelines and profiles.
  WarpActivities activities() const { return s_.activities(issued_now()); }

 protected:
  void tick() override;

 private:
  [[gnu::noinline, gnu::cold]] void step_residency();

  IssueState s_;
  BackEndReports back_end_;
  SchedulerTurns schedulers_;
  InstructionIssue issue_;
  bool rests_ = false;  ///< the stage sleeps while no scheduler has a changed view
};

}  // namespace heddle
