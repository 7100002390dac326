#pragma once

// The issue stage of an SM. Every cycle, each scheduler's constraints say which warps may issue, its policy
// picks among them, and the picks go to the operand collectors of their partition; control instructions
// execute at issue. Its parts stand in files of their own: warps and scoreboards (warp_table.h), who could
// issue (readiness.h), constraints (constraint_chain.h), one scheduler (warp_scheduler.h), control
// instructions (control_execution.h), lanes (lane_needs.h), power domains (issue_power.h), releases and
// register spilling (register_releases.h, register_spiller.h), counters (issue_accounts.h). Who wants to hear of the
// instructions hears by the channel of their life (models/ports/life_channel.h).

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/folding/warp_folding.h"
#include "models/operands/register_port.h"
#include "models/ports/life_channel.h"
#include "models/sm/control_execution.h"
#include "models/sm/issue_power.h"
#include "models/sm/register_releases.h"
#include "models/sm/register_spiller.h"
#include "models/sm/warp_activity.h"
#include "models/sm/warp_scheduler.h"
#include "models/time/clock.h"

namespace heddle {

class IssueStage : public ClockedModule, private ControlEffects {
 public:
  struct Wiring {
    Clock* clock = nullptr;
    const SmParameters* parameters = nullptr;
    SmPowerDomains* power = nullptr;
    WarpFolding* folding = nullptr;
    PlacementInfo place;
    double clock_mhz = 1000;
    int pipeline_overhead = 0;  ///< cycles between issue and dependent issue that pass outside the units
    StatsScope stats;
    LifeChannel* life = nullptr;
    std::function<void(WarpId)> warp_ended;  ///< called in the cycle in which the last instruction completes
  };

  IssueStage(const sc_core::sc_module_name& name, const Wiring& wiring);

  /// From the front end.
  InstructionTargetSocket& input() { return buffers_.socket; }
  /// To the collectors of a partition, and results of control instructions to its result bus.
  InstructionInitiatorSocket& output(int partition) {
    return partitions_[static_cast<std::size_t>(partition)].collectors->socket;
  }
  InstructionInitiatorSocket& results(int partition) {
    return partitions_[static_cast<std::size_t>(partition)].results->socket;
  }
  /// What partition p's register path has to hear and say beside the instructions that go there.
  void connect(int partition, RegisterPort& port);

  /// Some constraint decides by what warps have claimed of the registers.
  bool follows_claims() const { return constraints_.needs().claims; }
  /// Some constraint has registers written out to memory.
  bool spills() const { return spiller_ != nullptr; }
  /// Every partition is connected; its stages have subscribed. `hears_flags`: the front end attaches release flags.
  void assembled(std::span<const RegisterClaims* const> by_partition, bool hears_flags);
  /// Of the constraints.
  void probes(const ProbeScope& scope) { constraints_.probes(scope); }

  int partition_of(WarpId warp) const { return static_cast<int>(parameters_.homes().partition(warp)); }

  /// The program of the kernel before goes.
  void end_kernel() { accounts_.sum_up(); }
  /// Issue slots count from `cycle` on.
  void begin_kernel(Cycle cycle, const LoadedKernel& kernel);
  /// It can fetch from the next cycle on. Registers are mapped already.
  void start_warp(const WarpContext& context, const LoadedKernel& kernel);
  BarrierUnit& barriers() { return control_.barriers(); }
  /// Decides in which lanes instructions execute that issue from now on; nullptr: each thread in its own.
  void set_lane_planner(LanePlanner* planner) { lanes_.set_planner(planner); }

  const WarpState& warp(WarpId id) const { return warps_.state(id); }
  bool resident(WarpId id) const { return warps_.taken().contains(id); }
  /// Resident, and some lane has not exited: it has a path.
  bool runs(WarpId id) const { return resident(id) && !warp(id).simt.finished(); }
  int max_warps() const { return warps_.slots(); }
  std::uint64_t issued() const { return accounts_.instructions.value(); }
  std::uint64_t in_flight() const { return pool_.outstanding(); }
  Cycle last_issue() const { return last_issue_; }

  /// Accounts up to, and not including, `cycle`: counters are then exact for this cycle.
  void settle(Cycle cycle);
  /// Throws InternalError if counters do not conserve (issued = completed + in flight, slots = issued +
  /// idle).
  void check_conservation() const;

  /// What a warp waits for, in words; for dead-lock reports.
  std::string describe(WarpId id) const;
  /// Why a scheduler's slots stayed idle in its last tick, as a number of stall_reasons().
  std::size_t stall_of(int scheduler) const { return scheduler_at(scheduler).last_reason; }
  const std::vector<std::string>& stall_reasons() const { return constraints_.reasons(); }
  /// The warp that a scheduler issued from in its last tick, or -1.
  int last_pick(int scheduler) const {
    const int pick = scheduler_at(scheduler).last_pick;
    return pick >= 0 && issued_now_.contains(WarpId(static_cast<std::uint32_t>(pick))) ? pick : -1;
  }
  SchedulerPolicy& policy_of(int scheduler) {
    return schedulers_[static_cast<std::size_t>(scheduler)].policy();
  }
  WarpSet active_of(int scheduler) const { return scheduler_at(scheduler).policy().active(); }
  int schedulers() const { return static_cast<int>(schedulers_.size()); }

  /// What every warp does in this cycle, for waveforms, timelines and profiles.
  WarpActivities activities() const;
  /// Those that issued in the last tick.
  WarpSet issued_now() const { return issued_now_; }

 protected:
  void tick() override;

 private:
  struct Partition {
    std::unique_ptr<InstructionOutlet> collectors;
    RegisterPath* path = nullptr;
    isa::FreeCollectors free_collectors;
    std::unique_ptr<InstructionOutlet> results;  ///< of control instructions
    std::vector<InFlight*> held_results;         ///< that the result bus had no room for
  };
  const WarpScheduler& scheduler_at(int scheduler) const {
    return schedulers_[static_cast<std::size_t>(scheduler)];
  }

  // What the back end reports (issue_dispatch.cpp).
  void take_events();
  [[gnu::always_inline]] inline void take_event(const LifeChannel::Told& told);
  inline void complete(const LifeChannel::Told& told, WarpProgress& progress,
                       const InstructionFootprint& footprint);
  inline void write_predicates(const InFlight& item);
  inline void finish_if_drained(WarpId id);
  void reads_over(WarpId id, const InstructionFootprint& instruction) {
    warps_.scoreboard(id).reads_done(instruction);
    readiness_.reads_over(id, instruction);
  }
  void left_near(WarpId id) {
    if (--warps_.progress(id).near_in_flight == 0) readiness_.drained(id);
  }

  void settle_slots(Cycle cycle);
  void decide_folding();
  inline void schedule_in_turn();
  inline void schedule(WarpScheduler& scheduler, const isa::FreeCollectors& free_collectors);
  inline int issue_picks(WarpScheduler& scheduler);
  inline void note_active_set(WarpScheduler& scheduler);
  const ResourceView* resources();
  WarpSet active_warps() const;
  ActiveSlots& slots_of(std::size_t partition) { return partitions_[partition].path->slots(); }
  WarpSet bound() const;

  // An instruction on its way (issue_dispatch.cpp).
  void issue(WarpId id, int cluster);
  inline InFlight& open_record(const WarpState& warp, const WarpProgress& progress, std::uint32_t pc,
                               LaneMask mask, LaneMask active, std::uint64_t attached);
  static inline void begin_flight(InFlight& item, WarpProgress& progress,
                                  const InstructionFootprint& footprint);
  [[gnu::noinline, gnu::cold]] void check_beside(WarpId id, std::uint32_t pc) const;
  [[gnu::noinline, gnu::cold]] void move_registers();
  inline void send(InFlight& item, WarpState& warp, WarpProgress& progress,
                   const InstructionFootprint& footprint, int cluster);
  void push_held_results();

  // ControlEffects.
  std::uint32_t register_value(WarpId warp, RegId reg, int lane) override;
  void exited(WarpId warp) override;
  void send_vote(WarpId warp, std::uint32_t votes) override;
  void opened_beside(WarpId warp) override { spiller_->barrier_opens(warp); }

  const SmParameters& parameters_;
  PlacementInfo place_;
  double clock_mhz_;
  std::function<void(WarpId)> warp_ended_;

  InstructionBuffers buffers_;
  LifeChannel& life_;
  InFlightPool pool_;
  WarpTable warps_;
  Readiness readiness_;
  ConstraintChain constraints_;
  std::vector<WarpScheduler> schedulers_;
  LaneNeeds lanes_;
  WarpFolding& folding_;
  IssuePower power_;
  RegisterReleases releases_;
  std::unique_ptr<RegisterSpiller> spiller_;  ///< nullptr: no constraint wants one
  IssueAccounts accounts_;
  ControlExecution control_;
  std::vector<Partition> partitions_;
  ResourceView resources_;
  PickList picks_;  ///< of the scheduler whose turn it is

  WarpSet issued_now_ = 0;      ///< issued in the last tick
  int first_scheduler_ = 0;     ///< asked first in the next tick
  int held_results_ = 0;        ///< of all partitions
  bool may_spill_ = false;      ///< of the kernel's CTAs
  bool follows_slots_ = false;  ///< some stage follows active slots
  struct Resting {
    bool schedulers = false;  ///< one that would see what it saw before is not asked
    bool all = false;         ///< nor is anything else, while all would
    // Since the schedulers were last asked.
    bool idle = false;             ///< none has picked anything
    bool collectors_came = false;  ///< more can be filled in a cycle
  } rests_;
  Cycle last_issue_ = 0;
  std::uint64_t next_uid_ = 0;
};

}  // namespace heddle
