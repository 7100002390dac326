#pragma once

// The issue stage of an SM. In every cycle, each scheduler's constraints say which warps may issue, its
// policy picks among them, and the picks go to the operand collectors of their partition; control
// instructions execute at issue. Its parts share one state (issue_state.h): schedulers in turn
// (scheduler_turns.h), the issue of a pick (instruction_issue.h), reports of the back end
// (back_end_reports.h), control instructions (control_execution.h). Subscribers receive events of
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

  /// From the front end.
  InstructionTargetSocket& input() { return s_.buffers.socket; }
  /// To the collectors of a partition, and results of control instructions to its result bus.
  InstructionInitiatorSocket& output(int partition) {
    return s_.partitions[static_cast<std::size_t>(partition)].collectors->socket;
  }
  InstructionInitiatorSocket& results(int partition) {
    return s_.partitions[static_cast<std::size_t>(partition)].results->socket;
  }
  /// Interface of partition p's register path for everything except the instructions sent there.
  void connect(int partition, RegisterPort& port);

  /// Some constraint decides by what warps hold of the registers.
  bool follows_holdings() const { return s_.constraints.needs().holdings; }
  WarpResidency& residency() { return s_.residency; }
  const WarpResidency& residency() const { return s_.residency; }
  /// Every partition is connected; its stages have subscribed. `hears_flags`: the front end attaches release flags.
  void assembled(std::span<const RegisterClaims* const> by_partition, bool hears_flags);
  /// Names of the constraints.
  void probes(const ProbeScope& scope) { s_.constraints.probes(scope); }

  int partition_of(WarpId warp) const { return static_cast<int>(s_.parameters.homes().partition(warp)); }

  /// The program of the kernel before goes.
  void end_kernel() { s_.accounts.sum_up(); }
  /// Issue slots count from `cycle` on.
  void begin_kernel(Cycle cycle, const LoadedKernel& kernel);
  /// It can fetch from the next cycle on. Registers are mapped already.
  void start_warp(const WarpContext& context, const LoadedKernel& kernel);
  BarrierUnit& barriers() { return issue_.control().barriers(); }
  /// Decides in which lanes instructions execute that issue from now on; nullptr: each thread in its own.
  void set_lane_planner(LanePlanner* planner) { s_.lanes.set_planner(planner); }

  SchedulerTurns& schedulers() { return schedulers_; }
  const SchedulerTurns& schedulers() const { return schedulers_; }
  const WarpState& warp(WarpId id) const { return s_.warps.state(id); }
  bool resident(WarpId id) const { return s_.warps.taken().contains(id); }
  int max_warps() const { return s_.warps.slots(); }
  std::uint64_t issued() const { return s_.accounts.instructions.value(); }
  std::uint64_t in_flight() const { return s_.records.outstanding(); }
  Cycle last_issue() const { return issue_.last_issue(); }
  /// Warps that issued in the last tick.
  WarpSet issued_now() const { return issue_.issued_now(); }

  /// Accounts up to, and not including, `cycle`: counters are then exact for this cycle.
  void settle(Cycle cycle);
  /// Throws InternalError if counters do not conserve (issued = completed + in flight, slots = issued +
  /// idle).
  void check_conservation() const;

  /// Reason why a warp waits, in words, for dead-lock reports.
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
  bool rests_ = false;  ///< it is not called while all schedulers would see what they saw before
};

}  // namespace heddle
