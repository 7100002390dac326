#pragma once

// Models the operand stage "collectors": the operand collectors of one partition. Each collector holds one
// issued instruction while its source registers are read, and then sends the instruction to an execution
// unit.

#include <algorithm>
#include <array>
#include <vector>

#include "models/operands/collector_sets.h"
#include "models/operands/i_operand_stage.h"

namespace heddle {

class OperandCollectors final : public OperandStage {
 public:
  OperandCollectors(const sc_core::sc_module_name& name, const NoParameters&, Context& context);

  InstructionTargetSocket& input() override { return input_.socket; }
  InstructionInitiatorSocket& output() override { return output_.socket; }
  const std::vector<int>& places() const override { return sets_.places(); }
  static int least_cycles(const RegisterFileParameters& parameters);
  Cycle step(Cycle now) override;
  bool answered(Cycle now, std::span<RegisterAccess* const> reads) override {
    bool held = false;
    for (const RegisterAccess* read : reads) held |= answered(now, *read);
    return held;
  }
  void settle(Cycle cycle) override { sets_.count_to(cycle); }

  bool idle() const override { return sets_.occupied() == 0 && input_.empty(); }
  int count() const override { return static_cast<int>(slots_.size()); }
  std::uint64_t used() const override { return sets_.occupied(); }
  std::uint64_t take_changed() override { return sets_.take_changed(); }
  const InFlight* occupant(int collector) const override {
    return slots_[static_cast<std::size_t>(collector)].item;
  }

 private:
  struct Slot {
    InFlight* item = nullptr;
    Cycle complete_at = 0;
    std::uint64_t age = 0;
    /// sequence number of a memory instruction within its warp
    std::uint64_t ticket = 0;
    /// Number of incomplete reads, plus 1 until the register path has accepted all accesses of the
    /// instruction.
    std::uint16_t open = 0;
    bool memory = false;
  };
  /// Keeps the memory instructions of a warp in program order. `entered`: number of memory instructions that
  /// got a collector. `left`: number of memory instructions that were dispatched.
  struct MemoryOrder {
    std::uint64_t entered = 0, left = 0;
  };
  struct Requests {
    RegisterAccess *next = nullptr, *end = nullptr;
    std::uint8_t released = 0, dying = 0;
    bool announced = true;
    std::array<std::uint8_t, 2 * isa::kMaxSources> dead{};
    RegisterAccess reads[isa::kMaxSources * 2];
    RegisterAccess announcement;
    RegisterPrepare prepare;
  };

  struct DispatchCycle {
    std::uint64_t refused = 0;
    int left = 0;
    bool room_follows = false;
    Cycle next = kNever;
  };

  bool answered(Cycle now, const RegisterAccess& access) {
    Slot& slot = slots_[access.source];
    slot.complete_at = std::max({slot.complete_at, now, access.data_at});
    if (--slot.open != 0) return false;
    put_among_held(access.source);
    return true;
  }
  inline void dispatch_held(Cycle now);
  inline bool dispatch(Slot& slot, std::uint16_t number);
  bool stays(const Slot& slot, std::uint16_t number);
  inline void send_waiting(Cycle now);
  void hold(std::uint16_t number) {
    put_among_held(number);
    cycle_.next = std::min(cycle_.next, slots_[number].complete_at + 1);
  }
  void put_among_held(std::uint16_t number) {
    held_.push_back(number);
    if (held_.size() != 1 && slots_[held_.end()[-2]].age > slots_[number].age) sort_in(held_);
  }
  void sort_in(GrowingArray<std::uint16_t>& collectors);
  inline void take_issued(Cycle now);
  inline void prepare_reads(Cycle now, std::uint16_t number, Slot& slot, Requests& requests);
  void prepare_notes(std::uint16_t number);
  void announce(std::uint16_t number);
  void note_dying(std::uint16_t number);
  bool may_send() const { return path_->may_send(RegisterPath::Sender::collectors); }
  bool send(Cycle now, std::uint16_t number, Slot& slot, Requests& requests);
  bool send_announcement(Requests& requests);
  bool send_releases(std::uint16_t number);

  LifeChannel* life_;
  RegisterPath* path_;
  ReleaseQueue* releases_;
  bool releases_wanted_, announces_, announces_sources_;
  bool sends_notes_;
  int dispatches_per_cycle_;
  /// true: an instruction stays in its collector until earlier instructions have sent all their reads
  bool in_order_;
  /// cycles of an instruction in the collector: the banks' read latency without conflicts
  Cycle collect_cycles_;
  std::vector<Slot> slots_;
  std::vector<Requests> requests_;
  std::vector<MemoryOrder> memory_;
  CollectorSets sets_;
  /// Collectors with accesses that the register path has not accepted yet, oldest instruction first.
  GrowingArray<std::uint16_t> unsent_;
  /// Collectors whose reads all have a response, oldest instruction first. Data may arrive later than the
  /// response.
  GrowingArray<std::uint16_t> held_;
  /// Memory instructions with complete operands that the load/store unit has refused, oldest first.
  GrowingArray<std::uint16_t> queued_memory_;
  DispatchCycle cycle_;
  InstructionInlet input_;
  InstructionOutlet output_;
  Counter &allocated_, &dispatched_;
};

}  // namespace heddle
