#pragma once

// Models the operand stage "read-window": the pipeline stages Control and Allocate, and three read cycles
// (Huerta 2025, section 5.3).
//
// A fixed-latency instruction that issues in cycle t is in Control in t + 1 and in Allocate from t + 2 on.
// The instruction leaves Allocate in cycle u, the first cycle in which its reads fit into the free read ports
// of the next three cycles. Until then, all later instructions wait. In cycle u + 3, the stage merges the
// results of the last cycles into its operands, and sends the instruction to its unit. An instruction that
// reads a register too early, before a result is available, computes with the old value.
//
// After Control, a variable-latency instruction waits in a queue. The instruction reads through ports that
// fixed-latency instructions leave free, and receives results only from the register file.
//
// In a cycle in which an instruction must stay in Allocate, no instruction of the partition issues. Such a
// cycle does not count for stall counts (scheduler/partition_time.h). Bank conflicts therefore do not change
// the effect of stall counts.
//
// In the model, the banks serve each read one cycle earlier than this comment states, because the response of
// a bank takes one cycle.

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/isa/latency_table.h"
#include "models/operands/collector_sets.h"
#include "models/operands/i_operand_stage.h"
#include "models/operands/recent_results.h"
#include "models/operands/reuse_cache.h"
#include "models/operands/window_check.h"
#include "models/operands/window_slots.h"

namespace heddle {

struct ReadWindowParameters {
  int reuse_positions = 3;
  int reuse_entries = 1;
  bool checked = false;

  void fields(FieldVisitor& v) {
    v.field("reuse_positions", reuse_positions, {0, 3},
            "operand positions of which the reuse cache keeps values; 0: no reuse cache");
    v.field("reuse_entries", reuse_entries, {1, 8}, "entries of the reuse cache for each bank and position");
    v.field(
        "checked", checked,
        "end the run with an error where an instruction reads or writes a register too early or too late");
  }
};

class ReadWindow final : public OperandStage {
 public:
  ReadWindow(const sc_core::sc_module_name& name, const ReadWindowParameters& parameters, Context& context);

  InstructionTargetSocket& input() override { return input_.socket; }
  InstructionInitiatorSocket& output() override { return output_.socket; }
  const std::vector<int>& places() const override { return sets_.places(); }
  static constexpr bool kFixedWindow = true;
  static int least_cycles(const RegisterFileParameters&) { return kVariableCycles; }
  static int least_fixed_cycles(const RegisterFileParameters&) { return 1; }
  Cycle step(Cycle now) override;
  bool answered(Cycle now, std::span<RegisterAccess* const> reads) override;
  void settle(Cycle cycle) override { sets_.count_to(cycle); }

  LifeSet subscriptions() const override;
  void issued(const InFlight& item) override { check_->issued(item.issued, item, is_fixed(item)); }
  void completed(const InFlight& item) override;
  void warp_gone(WarpId warp) override { reuse_.forget(warp); }

  bool idle() const override { return sets_.occupied() == 0 && input_.empty(); }
  int count() const override { return static_cast<int>(slots_.size()); }
  std::uint64_t used() const override { return sets_.occupied(); }
  std::uint64_t take_changed() override { return sets_.take_changed(); }
  const InFlight* occupant(int place) const override { return slots_[static_cast<std::size_t>(place)].item; }

 private:
  static constexpr Cycle kReadCycles = 3;
  /// Cycles of a variable-latency instruction if its reads have no conflict. kFirstVariableRead: from issue to
  /// its first read. kVariableCycles: from issue to its start in a unit.
  static constexpr Cycle kFirstVariableRead = 5;
  static constexpr int kVariableCycles = 8;
  /// Lowest sender number of the read window's own reads. Lower sender numbers belong to collectors. The bank
  /// arbiter limits the words that a collector reads per cycle, but not the reads of the read window.
  static constexpr std::uint16_t kFirstSource = 0x8000;
  static constexpr std::size_t kMostReads = 2 * isa::kMaxSources;

  /// A read that was sent to the register path. If an earlier write of the register waits at the bank, the
  /// read's value may arrive after the reading instruction has left the operand stage.
  struct Read {
    RegisterAccess access;
    LaneVec values;
    std::uint16_t slot = 0;
    bool answered = false, abandoned = false;
  };

  struct Slot {
    InFlight* item = nullptr;
    std::uint64_t age = 0;
    Cycle accepted = 0;
    std::uint8_t words = 0, sent = 0;
    std::uint8_t open = 0;  ///< number of operand words whose values have not arrived yet
    bool read = false;      ///< true: the first read was sent
    Cycle complete_at = 0;
    /// read of each operand word; nullptr: the reuse cache has the value
    std::array<Read*, kMostReads> reads{};
    std::array<ReuseCache::LookUp, kMostReads> reuse;
  };

  bool is_fixed(const InFlight& item) const { return !latencies_->is_variable(*item.instruction); }
  static const OperandWord& word_of(const Slot& slot, std::size_t word) {
    return slot.item->footprint->words[word];
  }
  std::size_t bank_of(const Slot& slot, std::size_t word) const {
    return path_->mapping().place_of(slot.item->warp(), RegId(word_of(slot, word).reg)).bank.value;
  }
  void take_issued(Cycle now);
  void allocate(Cycle now, std::uint16_t number);
  std::pair<Cycle, Cycle> first_fit(Cycle entry, const Slot& slot) const;
  void look_up(Slot& slot);
  void read_variable(Cycle now);
  void send(Cycle now, std::uint16_t number, std::size_t word, Cycle served);
  Read& open_read();
  /// Must be called after the response of the read has arrived. Returns the value of the read, and frees the
  /// record of the read.
  const LaneVec& take_value(const Read& read) {
    free_reads_.push_back(static_cast<std::uint16_t>(read.access.source - kFirstSource));
    return read.values;
  }
  bool answered(Cycle now, const RegisterAccess& access);
  void dispatch_fixed(Cycle now);
  void merge(Cycle now, Slot& slot);
  void dispatch_variable(Cycle now);
  bool waits_for_older_access(const Slot& slot) const;
  void leave(std::uint16_t number);

  const isa::LatencyTable* latencies_;
  LifeChannel* life_;
  RegisterPath* path_;
  Clock* clock_;
  std::vector<Slot> slots_;
  std::deque<Read> reads_;
  GrowingArray<std::uint16_t> free_reads_;
  CollectorSets sets_;
  WindowSlots ports_;
  ReuseCache reuse_;
  std::optional<WindowCheck> check_;
  RecentResults results_;
  GrowingArray<std::uint16_t> window_;   ///< fixed-latency instructions, oldest first
  GrowingArray<std::uint16_t> waiting_;  ///< variable-latency instructions, oldest first
  Cycle left_ = 0;                       ///< cycle in which the latest instruction leaves Allocate
  InstructionInlet input_;
  InstructionOutlet output_;
  Counter &allocated_, &dispatched_, &held_cycles_, &fixed_reads_;
  std::array<Counter*, 3> hits_;
  Counter& fills_;
};

}  // namespace heddle
