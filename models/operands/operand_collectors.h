#pragma once

// Models the operand stage "collectors": the operand collector units of one partition. Each holds one issued
// instruction while its source registers are read, then sends it to a unit.

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
  /// Dispatches complete instructions, takes issued ones, and sends their reads.
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
  /// Members that dispatch uses.
  struct Slot {
    InFlight* item = nullptr;
    Cycle complete_at = 0;     ///< cycle in which the last operand arrived
    std::uint64_t age = 0;     ///< order of allocation
    std::uint64_t ticket = 0;  ///< of a memory instruction: its number among those of its warp
    /// Reads without an answer, plus one until announcement, reads and releases are all accepted.
    std::uint16_t open = 0;
    bool memory = false;
  };
  /// Keeps the memory instructions of a warp in order.
  struct MemoryOrder {
    std::uint64_t entered = 0, left = 0;
  };
  /// Accesses of one collector, and how many of them have been sent. Reset when all have been sent.
  struct Requests {
    RegisterAccess *next = nullptr, *end = nullptr;  ///< range in `reads` that the path has not accepted
    std::uint8_t released = 0, dying = 0;
    bool announced = true;
    std::array<std::uint8_t, 2 * isa::kMaxSources> dead{};  ///< registers to release after the reads
    RegisterAccess reads[isa::kMaxSources * 2];
    RegisterAccess announcement;
    RegisterPrepare prepare;
  };

  /// State of the dispatches of one cycle.
  struct DispatchCycle {
    std::uint64_t refused = 0;  ///< units that have refused an instruction in this cycle
    int left = 0;               ///< instructions that may still leave
    /// The load/store unit has refused an instruction and will report when it has room.
    bool room_follows = false;
    Cycle next = kNever;  ///< first cycle in which a held instruction may leave
  };

  /// Processes the answer of a read. Returns true if it was the last answer for its collector.
  bool answered(Cycle now, const RegisterAccess& access) {
    Slot& slot = slots_[access.source];
    slot.complete_at = std::max({slot.complete_at, now, access.data_at});
    if (--slot.open != 0) return false;
    put_among_held(access.source);
    return true;
  }
  inline void dispatch_held(Cycle now);
  inline bool dispatch(Slot& slot, std::uint16_t number);
  /// The instruction has all operands but could not leave. Returns true if it is queued as a memory
  /// instruction.
  bool stays(const Slot& slot, std::uint16_t number);
  inline void send_waiting(Cycle now);
  /// Holds an instruction with all operands, within step(), and updates the next cycle with work.
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
  bool sends_notes_;  ///< releases or announcements are wanted
  int dispatches_per_cycle_;
  Cycle collect_cycles_;  ///< cycles of one read of the banks without conflicts
  std::vector<Slot> slots_;
  std::vector<Requests> requests_;
  std::vector<MemoryOrder> memory_;  ///< by warp
  CollectorSets sets_;
  /// Collectors with accesses that the path has not accepted, oldest instruction first.
  GrowingArray<std::uint16_t> unsent_;
  /// Collectors with all answers, of which some data may still be on the way; oldest instruction first.
  GrowingArray<std::uint16_t> held_;
  /// Memory instructions with all operands that could not leave at the first attempt; oldest first.
  GrowingArray<std::uint16_t> queued_memory_;
  DispatchCycle cycle_;
  InstructionInlet input_;
  InstructionOutlet output_;
  Counter &allocated_, &dispatched_;
};

}  // namespace heddle
