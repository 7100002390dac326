#pragma once

// Issues one instruction that a scheduler has picked. Creates the instruction's record and assigns its lanes
// and its execution unit. Control instructions execute at once. Other instructions go to an operand collector
// of their partition.

#include <functional>
#include <span>

#include "models/ports/in_flight_pool.h"
#include "models/ports/life_channel.h"
#include "models/ports/unit_availability.h"
#include "models/sm/control_execution.h"
#include "models/sm/issue_partition.h"
#include "models/sm/lane_needs.h"
#include "models/sm/switched_out_warps.h"

namespace heddle {

class InstructionIssue final : private ControlEffects {
 public:
  struct Wiring {
    ClockedModule* stage = nullptr;
    const Clock* clock = nullptr;
    WarpTable* warps = nullptr;
    Readiness* readiness = nullptr;
    InstructionBuffers* buffers = nullptr;
    LifeChannel* life = nullptr;
    InFlightPool* records = nullptr;
    IssueAccounts* accounts = nullptr;
    const LaneNeeds* lanes = nullptr;
    UnitAvailability* units = nullptr;
    WarpResidency* residency = nullptr;
    SwitchedOutWarps* switched_out = nullptr;
    CopyGroups* copies = nullptr;
    std::span<IssuePartition> partitions;
    int max_ctas = 8;
    PlacementInfo place;
    double clock_mhz = 1000;
    std::function<void(WarpId)> exited;
  };
  explicit InstructionIssue(Wiring wiring);

  void begin_cycle() { issued_now_ = 0; }
  /// Issues the warp's next instruction. `cluster`: number of the execution unit within its class; negative:
  /// this function chooses a unit that accepts the instruction.
  void issue(WarpId id, int cluster);

  ControlExecution& control() { return control_; }
  const ControlExecution& control() const { return control_; }
  bool holds_results() const { return holds_results_; }
  void push_held_results();
  void send_vote(WarpId warp, std::uint32_t votes) override;

  WarpSet issued_now() const { return issued_now_; }
  Cycle last_issue() const { return last_issue_; }

 private:
  inline InFlight& open_record(const WarpState& warp, const WarpProgress& progress, std::uint32_t pc,
                               LaneMask mask, LaneMask active, std::uint64_t attached);
  static inline void begin_flight(InFlight& item, WarpProgress& progress,
                                  const InstructionFootprint& footprint);
  /// Assigns the instruction to execution unit `cluster` of its class; negative: this function chooses a unit
  /// that accepts the instruction. Inlining bind() and send() saves 0.5 % of the simulator's time for the
  /// kernel matrix-mul and 0.7 % for a loop of FMA instructions.
  [[gnu::always_inline]] inline void bind(InFlight& item, IssuePartition& partition, std::size_t number,
                                          const InstructionFootprint& footprint, int cluster);
  [[noreturn]] void refuse_outside(WarpId id, std::uint32_t pc) const;
  [[gnu::always_inline]] inline void send(InFlight& item, WarpState& warp, WarpProgress& progress,
                                          const InstructionFootprint& footprint, int cluster);

  std::uint32_t register_value(WarpId warp, RegId reg, int lane) override;
  void exited(WarpId warp) override { w_.exited(warp); }
  void barrier_opens(WarpId warp) override { w_.switched_out->barrier_opens(warp); }

  Wiring w_;
  ControlExecution control_;
  WarpSet issued_now_ = 0;
  bool holds_results_ = false;
  Cycle last_issue_ = 0;
  std::uint64_t next_uid_ = 0;
};

}  // namespace heddle
