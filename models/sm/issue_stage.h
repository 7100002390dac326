#pragma once

// The issue stage of an SM: its warps, scoreboards and schedulers. Every cycle, each scheduler's constraints
// say which warps may issue, its policy picks among them, and the picks go to the operand collectors of their
// partition; control instructions are executed here.

#include <array>
#include <functional>
#include <memory>
#include <tlm>
#include <vector>

#include "models/core/stats.h"
#include "models/exec/cluster_choice.h"
#include "models/gating/sm_power_domains.h"
#include "models/isa/lane_planner.h"
#include "models/ports/clock.h"
#include "models/ports/issue_inbox.h"
#include "models/ports/life_event.h"
#include "models/regfile/register_port.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/barrier_unit.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/operand_setup.h"
#include "models/sm/sm_parameters.h"
#include "models/sm/warp_state.h"

namespace heddle {

class IssueStage : public ClockedModule {
 public:
  struct Wiring {
    Clock* clock = nullptr;
    const SmParameters* parameters = nullptr;
    SmPowerDomains* power = nullptr;
    PlacementInfo place;
    double clock_mhz = 1000;
    StatsScope stats;
    tlm::tlm_analysis_port<LifeEvent>* events = nullptr;
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
  /// Whether life-cycle events are sent (they cost time).
  void set_observed(bool on) { observed_ = on; }
  /// What partition p's register path has to hear and say beside the instructions that go there.
  void connect(int partition, RegisterPort& port);

  int scheduler_of(WarpId warp) const { return static_cast<int>(warp.value) % schedulers_count_; }
  int partition_of(WarpId warp) const { return scheduler_of(warp) % partitions_count_; }

  /// Issue slots count from `cycle` on.
  void begin_kernel(Cycle cycle);
  /// A warp of a CTA that has been placed: it can fetch from the next cycle on. Registers are mapped already.
  void start_warp(const WarpContext& context, const LoadedKernel& kernel);
  BarrierUnit& barriers() { return barriers_; }
  /// Decides in which lanes instructions execute that issue from now on; nullptr: each thread in its own.
  void set_lane_planner(LanePlanner* planner) { planner_ = planner; }

  const WarpState& warp(WarpId id) const { return warps_[id.value]; }
  int max_warps() const { return static_cast<int>(warps_.size()); }
  std::uint64_t issued() const { return issued_.value(); }
  std::uint64_t in_flight() const { return pool_.outstanding(); }
  Cycle last_issue() const { return last_issue_; }

  /// Accounts idle slots up to, and not including, `cycle`: counters are then exact for this cycle.
  void settle(Cycle cycle);
  /// Throws InternalError if counters do not conserve (issued = completed + in flight, slots = issued +
  /// idle).
  void check_conservation() const;

  /// What a warp waits for, in words; for dead-lock reports.
  std::string describe(WarpId id) const;
  StallReason stall_of(int scheduler) const {
    return schedulers_[static_cast<std::size_t>(scheduler)].last_reason;
  }
  /// The warp that a scheduler issued from in its last tick, or -1.
  int last_pick(int scheduler) const {
    const int pick = schedulers_[static_cast<std::size_t>(scheduler)].last_pick;
    return pick >= 0 && issued_now_.contains(WarpId(static_cast<std::uint32_t>(pick))) ? pick : -1;
  }
  SchedulerPolicy& policy_of(int scheduler) {
    return *schedulers_[static_cast<std::size_t>(scheduler)].policy;
  }
  WarpSet active_of(int scheduler) const {
    return schedulers_[static_cast<std::size_t>(scheduler)].policy->active();
  }
  int schedulers() const { return schedulers_count_; }

  /// State of a warp for waveforms: why it does not issue, or that it does.
  enum class WarpActivity : std::uint8_t {
    empty,
    issuing,
    ready,
    dependence,
    memory,
    fetch,
    barrier,
    fence,
    draining
  };
  WarpActivity activity(WarpId id) const;

 protected:
  void tick() override;

 private:
  struct Scheduler {
    std::unique_ptr<SchedulerPolicy> policy;
    std::vector<std::unique_ptr<IssueConstraint>> constraints;
    WarpSet mine = 0, active_before = 0;
    std::size_t partition = 0;
    StallReason last_reason = StallReason::no_warp;
    int last_pick = -1;
    Counter* issued = nullptr;
    std::array<Counter*, static_cast<std::size_t>(StallReason::count_)> stalls{};
  };
  struct Partition {
    explicit Partition(const UnitParameters& units) : clusters(units) {}
    std::unique_ptr<InstructionOutlet> collectors;
    RegisterPort* port = nullptr;
    bool hears_warps = false;  ///< register-file stages want to hear of warps
    int free_collectors = 0;
    ClusterChoice clusters;
    std::array<UnitPower, 5> power{};        ///< in this cycle
    std::array<int, 5> waiting{}, demand{};  ///< of this cycle, by unit class, for the gating policies
    std::array<LaneDemand, 5> lane_demand{};     ///< of classes whose units are gated in parts
    std::unique_ptr<InstructionOutlet> results;  ///< of control instructions
    std::vector<InFlight*> held_results;         ///< that the result bus had no room for
  };

  void count_warp_cycles(Cycle cycles);
  void take_events();
  void take_event(const IssueEvent& event);
  void complete(InFlight* item);
  void left_near(WarpState& warp);
  void finish_if_drained(WarpState& warp);

  void refresh(WarpId id);
  void refresh_dirty();
  WarpSet pairs_among(WarpSet ready);
  /// Warps by the unit class of the instruction behind the head.
  std::array<WarpSet, 5> next_by_unit(WarpSet warps) const;
  bool can_pair(const WarpState& warp) const;

  void schedule_in_turn();
  void schedule(Scheduler& scheduler, int number);
  /// Candidates that may not issue, and by what.
  struct Blocked {
    WarpSet all = 0;
    WarpSet structural = 0;  ///< whose first obstacle is neither the scoreboard nor gating
    WarpSet gated = 0;       ///< whose only obstacle is gating
  };
  Blocked blocked_by(Scheduler& scheduler, const ConstraintView& view) const;
  StallReason reason_for(const Scheduler& scheduler, const Blocked& blocked, WarpSet ready, int issued) const;
  void begin_power_cycle();
  void set_power_inputs();
  void count_power_inputs(const Scheduler& scheduler, const SchedulerView& view);
  void end_power_cycle();
  void note_lanes(ConstraintView& view, const Scheduler& scheduler);
  const LanePlan* plan_lanes(std::size_t partition, const InstructionFootprint& footprint, LaneMask threads,
                             LanePlan& storage) const;
  void note_active_set(Scheduler& scheduler, int number);
  // What register-file stages above the banks have to do with scheduling (issue_registers.cpp).
  void tell_stages(const WarpState& warp, const isa::Instruction& instruction, LaneMask mask);
  WarpSet drained_of(const Scheduler& scheduler) const;
  void note_leaving(const Scheduler& scheduler);
  void note_activated(const Scheduler& scheduler, WarpSet active);

  void issue(WarpId id, int cluster, int scheduler);
  int bind(Partition& partition, UnitDomains& domains, isa::UnitClass unit, int cluster, LaneMask lanes);
  void send(WarpState& warp, const isa::Instruction& instruction, std::uint32_t pc, LaneMask mask,
            int cluster, int scheduler);
  void execute_control(WarpState& warp, const isa::Instruction& instruction, std::uint32_t pc, LaneMask mask);
  void arrive_at_barrier(WarpState& warp, const isa::Instruction& instruction, LaneMask mask);
  void release_from_barrier(std::uint64_t warps);
  void write_reduction(WarpState& warp);
  std::uint32_t uniform_value(const isa::Operand& operand, const WarpState& warp, std::uint32_t pc, int slot);
  void go_on(WarpState& warp, const isa::Instruction& instruction, std::uint32_t pc);
  void redirect(WarpState& warp);
  void push_held_results();
  [[noreturn]] void trap(const WarpState& warp, const isa::Instruction& instruction) const;
  void publish(LifeEvent::Kind kind, const WarpState& warp, std::uint32_t pc = 0, LaneMask mask = 0,
               std::uint64_t uid = 0, const isa::Instruction* instruction = nullptr,
               const InFlight* item = nullptr);

  const SmParameters& parameters_;
  SmPowerDomains& power_;
  LanePlanner* planner_ = nullptr;
  std::array<std::vector<LaneMask>, 2> lanes_needed_;  ///< by place of the instruction and warp
  std::uint64_t power_changes_ = 0;  ///< of the power domains, when the partitions last noted their states
  PlacementInfo place_;
  double clock_mhz_;
  tlm::tlm_analysis_port<LifeEvent>* events_;
  std::function<void(WarpId)> warp_ended_;
  int schedulers_count_, partitions_count_;

  InstructionBuffers buffers_;
  IssueInbox inbox_;
  InFlightPool pool_;
  BarrierUnit barriers_;
  std::vector<WarpState> warps_;
  std::vector<WarpView> views_;
  std::vector<Scheduler> schedulers_;
  std::vector<Partition> partitions_;

  // Warps by state, as of the end of the previous cycle; refreshed for dirty_ warps at the start of a tick.
  WarpSet resident_ = 0, has_instruction_ = 0, hazard_ = 0, long_wait_ = 0, at_barrier_ = 0, at_fence_ = 0,
          drained_ = 0;
  std::array<WarpSet, 5> by_unit_{};
  WarpSet deactivated_ = 0;  ///< told the register-file stages that they give up their active slot
  WarpSet bound_ = 0;        ///< between instructions that pass values through entries: they keep their slot
  WarpSet dirty_ = 0;
  WarpSet issued_now_ = 0;   ///< issued in the last tick
  int live_warps_ = 0;       ///< resident, exited ones that drain included
  int first_scheduler_ = 0;  ///< asked first in the next tick
  Cycle accounted_to_ = 0;
  Cycle last_issue_ = 0;
  std::uint64_t next_uid_ = 0;
  std::uint64_t issued_by_barrier_ =
      0;  ///< records of bar.red results: in flight beside the instruction itself
  bool observed_ = false;

  Counter &issued_, &completed_, &guarded_off_, &thread_instructions_, &overhead_, &source_words_,
      &result_words_, &pair_words_, &branches_, &divergent_, &barriers_met_, &active_warp_cycles_,
      &resident_warp_cycles_, &slots_;
  std::array<Counter*, 5> by_unit_issued_{};
  std::array<Counter*, static_cast<std::size_t>(isa::OpClass::count_)> by_class_issued_{};
};

}  // namespace heddle
