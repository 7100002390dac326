#pragma once

// Operand stage "collectors": operand collector units of one partition. Each holds one issued instruction while its source
// registers are read, then hands it to a unit.

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
  /// Dispatches what is complete, takes what was issued, sends the reads.
  Cycle step(Cycle now) override;
  bool answered(Cycle now, std::span<RegisterAccess* const> reads) override {
    bool held = false;
    for (const RegisterAccess* read : reads) held |= answered(now, *read);
    return held;
  }
  /// Counters up to, and not including, `cycle`.
  void settle(Cycle cycle) override { sets_.count_to(cycle); }

  bool idle() const override { return sets_.occupied() == 0 && input_.empty(); }
  int count() const override { return static_cast<int>(slots_.size()); }
  std::uint64_t used() const override { return sets_.occupied(); }
  std::uint64_t take_changed() override { return sets_.take_changed(); }
  const InFlight* occupant(int collector) const override {
    return slots_[static_cast<std::size_t>(collector)].item;
  }

 private:
  /// Inputs of dispatch.
  struct Slot {
    InFlight* item = nullptr;
    Cycle complete_at = 0;     ///< when the last operand arrived
    std::uint64_t age = 0;     ///< order of allocation
    std::uint64_t ticket = 0;  ///< of a memory instruction: its number among those of its warp
    std::uint16_t open =
        0;  ///< reads without an answer, and one until announcement, reads and releases are all taken
    bool memory = false;
  };
  /// The memory instructions of a warp leave in order.
  struct MemoryOrder {
    std::uint64_t entered = 0, left = 0;
  };
  /// What is sent for it. How far that is; as it begins, when all has been sent.
  struct Requests {
    RegisterAccess *next = nullptr, *end = nullptr;  ///< of `reads`: those that the path has not taken
    std::uint8_t released = 0, dying = 0;
    bool announced = true;
    std::array<std::uint8_t, 2 * isa::kMaxSources> dead{};  ///< registers to release after the reads
    RegisterAccess reads[isa::kMaxSources * 2];
    RegisterAccess announcement;
    RegisterPrepare prepare;
  };

  /// State of one cycle's dispatches.
  struct DispatchCycle {
    std::uint64_t refused = 0;  ///< ways to units that have had no room
    int left = 0;               ///< instructions that may still leave
    bool room_follows = false;  ///< the load/store unit has refused one, and says when it has room
    Cycle next = kNever;        ///< some that are held may leave
  };

  /// True if it was the last answer that a collector waited for.
  bool answered(Cycle now, const RegisterAccess& access) {
    Slot& slot = slots_[access.source];
    slot.complete_at = std::max({slot.complete_at, now, access.data_at});
    if (--slot.open != 0) return false;
    put_among_held(access.source);
    return true;
  }
  inline void dispatch_held(Cycle now);
  inline bool dispatch(Slot& slot, std::uint16_t number);
  /// True if it stays with all its operands, for the first time or as a queued instruction.
  bool stays(const Slot& slot, std::uint16_t number);
  inline void send_waiting(Cycle now);
  /// In a step, which says when it may leave.
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
  [[gnu::always_inline]] inline void prepare_reads(Cycle now, std::uint16_t number, Slot& slot,
                                                   Requests& requests);
  void tell(std::uint16_t number);
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
  bool tells_;  ///< any of these
  int dispatches_per_cycle_;
  Cycle collect_cycles_;  ///< of one undisturbed read of the banks
  std::vector<Slot> slots_;
  std::vector<Requests> requests_;
  std::vector<MemoryOrder> memory_;  ///< by warp
  CollectorSets sets_;
  GrowingArray<std::uint16_t>
      unsent_;  ///< with something that the path has not taken, oldest instruction first
  /// With all answers, though some may still be on their way; oldest instruction first.
  GrowingArray<std::uint16_t> held_;
  /// Memory instructions that hold their operands and did not leave at their first try; oldest first.
  GrowingArray<std::uint16_t> queueing_;
  DispatchCycle cycle_;
  InstructionInlet input_;
  InstructionOutlet output_;
  Counter &allocated_, &dispatched_;
};

}  // namespace heddle
