#pragma once

// Models the issue stage of an SM. In every cycle the constraints of each scheduler decide which warps may
// issue, and the scheduler's policy picks among them. Picks go to the operand collectors of their partition.
// Control instructions execute at issue. The stage owns its parts and wires each to those that it needs: the
// turns of the schedulers (scheduler_turns.h), the issue of a pick (instruction_issue.h), the reports of the
// back end (back_end_reports.h), and control instructions (control_execution.h). Subscribers receive events of
// instructions through the life channel (models/ports/life_channel.h).

#include <span>
#include <string>

#include "models/sm/back_end_reports.h"
#include "models/sm/instruction_issue.h"
#include "models/sm/scheduler_turns.h"
#include "models/sm/warp_activity.h"

namespace heddle {

class IssueStage : public ClockedModule {
 public:
  struct Wiring {
    Clock* clock = nullptr;
    const SmParameters* parameters = nullptr;
    UnitAvailability* units = nullptr;
    LanePlans* plans = nullptr;
    PlacementInfo place;
    double clock_mhz = 1000;
    StatsScope stats;
    LifeChannel* life = nullptr;
    std::function<void(WarpId)> warp_ended;  ///< called in the cycle in which the last instruction completes
  };
  IssueStage(const sc_core::sc_module_name& name, const Wiring& wiring);

  /// Socket for instructions from the front end.
  InstructionTargetSocket& input() { return buffers_.socket; }
  /// output(): instructions to the collectors of a partition. results(): results of control instructions to
  /// its result bus.
  InstructionInitiatorSocket& output(int partition) {
    return partitions_[static_cast<std::size_t>(partition)].to_collectors();
  }
  InstructionInitiatorSocket& results(int partition) {
    return partitions_[static_cast<std::size_t>(partition)].to_results();
  }
  /// Connects the register path of a partition, for everything except instructions, which go through the
  /// sockets.
  void connect(int partition, RegisterPort& port);

  /// True if a constraint uses what registers warps hold.
  bool follows_holdings() const { return constraints_.needs().holdings; }
  WarpResidency& residency() { return residency_; }
  const WarpResidency& residency() const { return residency_; }
  /// Called when every partition is connected and its stages have subscribed. `receives_flags`: the front end
  /// attaches release flags.
  void assembled(std::span<const RegisterClaims* const> by_partition, bool receives_flags);
  /// Adds the probe points of the constraints.
  void probes(const ProbeScope& scope) { constraints_.probes(scope); }

  int partition_of(WarpId warp) const { return static_cast<int>(parameters_.homes().partition(warp)); }

  /// The kernel ends, and its program may be destroyed.
  void end_kernel() { accounts_.sum_up(); }
  /// A kernel begins. Issue slots count from `cycle` on.
  void begin_kernel(Cycle cycle, const LoadedKernel& kernel);
  /// Starts a warp, which can fetch from the next cycle on. Its registers must be mapped.
  void start_warp(const WarpContext& context, const LoadedKernel& kernel);
  BarrierUnit& barriers() { return issue_.control().barriers(); }
  /// Sets the planner of lanes for instructions that issue from now on; nullptr: each thread stays in its own
  /// lane.
  void set_lane_planner(LanePlanner* planner) { lanes_.set_planner(planner); }

  SchedulerTurns& schedulers() { return schedulers_; }
  const SchedulerTurns& schedulers() const { return schedulers_; }
  const WarpState& warp(WarpId id) const { return warps_.state(id); }
  bool resident(WarpId id) const { return warps_.taken().contains(id); }
  int max_warps() const { return warps_.slots(); }
  std::uint64_t issued() const { return accounts_.instructions.value(); }
  std::uint64_t in_flight() const { return records_.outstanding(); }
  Cycle last_issue() const { return issue_.last_issue(); }
  /// Warps that issued in the last cycle that ran.
  WarpSet issued_now() const { return issue_.issued_now(); }

  /// Makes the counters exact up to `cycle`, which is excluded.
  void settle(Cycle cycle);
  /// Throws InternalError unless issued = completed + in flight, and slots = issued + idle.
  void check_conservation() const;

  /// Describes why a warp waits, for dead-lock reports.
  std::string describe(WarpId id) const {
    return warps_.describe(id, issue_.control().barriers().describe(warp(id).context.cta_slot));
  }
  /// Activity of every warp in this cycle, for waveforms, timelines and profiles.
  WarpActivities activities() const;

 protected:
  void tick() override;

 private:
  void step_residency();

  /// Warps of all partitions that must not be descheduled (ActiveSlots::bound).
  WarpSet bound() const;

  const SmParameters& parameters_;
  LifeChannel& life_;
  LanePlans& plans_;
  UnitAvailability& units_;
  InstructionBuffers buffers_;
  InFlightPool records_;
  WarpTable warps_;
  Readiness readiness_;
  RegisterReleases releases_;
  SwitchedOutWarps switched_out_;
  ConstraintChain constraints_;
  WarpResidency& residency_;
  LaneNeeds lanes_;
  IssueAccounts accounts_;
  std::vector<IssuePartition> partitions_;
  BackEndReports back_end_;
  SchedulerTurns schedulers_;
  InstructionIssue issue_;
  bool rests_ = false;  ///< the stage sleeps while no scheduler has a changed view
};

}  // namespace heddle
