#pragma once

// Models the issue stage of an SM. In every cycle, the constraints of each scheduler decide which warps may
// issue, and the scheduler's policy picks among these warps. A picked instruction goes to an operand
// collector of its partition. Control instructions execute at issue.

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
    std::function<void(WarpId)> warp_ended;
    const isa::LatencyTable* latencies = nullptr;
  };
  IssueStage(const sc_core::sc_module_name& name, const Wiring& wiring);

  InstructionTargetSocket& input() { return buffers_.socket; }
  /// output(): sends instructions to the collectors of a partition. results(): sends results of control
  /// instructions to the partition's result bus.
  InstructionInitiatorSocket& output(int partition) {
    return partitions_[static_cast<std::size_t>(partition)].to_collectors();
  }
  InstructionInitiatorSocket& results(int partition) {
    return partitions_[static_cast<std::size_t>(partition)].to_results();
  }
  void connect(int partition, RegisterPort& port);

  /// True if a constraint uses the register entries that warps hold or have claimed.
  bool follows_holdings() const { return constraints_.needs().holdings; }
  WarpResidency& residency() { return residency_; }
  const WarpResidency& residency() const { return residency_; }
  /// Must be called when every partition is connected and its stages have subscribed to events.
  /// `by_partition`: register claims of each partition, or nullptr. `receives_flags`: true if the front end
  /// attaches release flags.
  void assembled(std::span<const RegisterClaims* const> by_partition, bool receives_flags);
  void probes(const ProbeScope& scope) { constraints_.probes(scope); }

  int partition_of(WarpId warp) const { return static_cast<int>(parameters_.homes().partition(warp)); }

  /// Ends a kernel, whose program may be destroyed afterwards.
  void end_kernel() { accounts_.sum_up(); }
  /// Starts a kernel. Issue slots are counted from `cycle` on.
  void begin_kernel(Cycle cycle, const LoadedKernel& kernel);
  /// Starts a warp whose registers are already mapped. The front end can fetch for this warp from the next
  /// cycle on.
  void start_warp(const WarpContext& context, const LoadedKernel& kernel);
  BarrierUnit& barriers() { return issue_.control().barriers(); }
  /// Sets the planner that assigns threads to lanes for all later instructions. nullptr: each thread stays in
  /// its own lane.
  void set_lane_planner(LanePlanner* planner) { lanes_.set_planner(planner); }

  SchedulerTurns& schedulers() { return schedulers_; }
  const SchedulerTurns& schedulers() const { return schedulers_; }
  const WarpState& warp(WarpId id) const { return warps_.state(id); }
  std::uint32_t fetch_epoch(WarpId id) const { return buffers_.epoch(id); }
  bool resident(WarpId id) const { return warps_.taken().contains(id); }
  std::uint32_t memory_in_flight(WarpId id) const { return warps_.progress(id).memory_in_flight; }
  int max_warps() const { return warps_.slots(); }
  std::uint64_t issued() const { return accounts_.instructions.value(); }
  std::uint64_t in_flight() const { return records_.outstanding(); }
  Cycle last_issue() const { return issue_.last_issue(); }
  WarpSet issued_now() const { return issue_.issued_now(); }

  void settle(Cycle cycle);
  void check_conservation() const;

  std::string describe(WarpId id) const {
    return warps_.describe(id, issue_.control().barriers().describe(warp(id).context.cta_slot));
  }
  WarpActivities activities() const;

 protected:
  void tick() override;

 private:
  void step_holds();

  /// Returns the warps of all partitions that must not be descheduled now.
  WarpSet bound() const;

  const SmParameters& parameters_;
  StatsScope stats_;
  LifeChannel& life_;
  LanePlans& plans_;
  UnitAvailability& units_;
  InstructionBuffers buffers_;
  InFlightPool records_;
  WarpTable warps_;
  Readiness readiness_;
  RegisterReleases releases_;
  SwitchedOutWarps switched_out_;
  CopyGroups copies_;
  ConstraintChain constraints_;
  WarpResidency& residency_;
  LaneNeeds lanes_;
  IssueAccounts accounts_;
  std::vector<IssuePartition> partitions_;
  BackEndReports back_end_;
  SchedulerTurns schedulers_;
  InstructionIssue issue_;
  bool rests_ = false;  ///< true: the stage sleeps while the inputs of all schedulers are unchanged
};

}  // namespace heddle
