// Models two scoreboards of a core with bypass (Huerta 2025, section 7.5), as a variant of a core that the
// compiler's control bits guide. An instruction waits for a pending write of its registers until the result can
// be bypassed, and for pending readers of variable latency of the registers that it writes: those of fixed
// latency read before it can write. A register has at most `consumers` pending readers of either kind.

#include <array>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/memory_barriers.h"
#include "models/scheduler/partition_time.h"

namespace heddle {
namespace {

struct ConsumerScoreboardParameters {
  int consumers = 63;
  void fields(FieldVisitor& v) {
    v.field("consumers", consumers, {1, 63},
            "pending readers that a register may have (Huerta 2025: 1, 3, 63)");
  }
};

class ConsumerScoreboard final : public IssueConstraint {
 public:
  ConsumerScoreboard(const ConsumerScoreboardParameters& parameters, Context& context)
      : consumers_(parameters.consumers),
        latencies_(context.latencies ? *context.latencies : isa::LatencyTable{}),
        time_(context.partitions),
        barriers_(context.warps),
        warps_(static_cast<std::size_t>(context.warps)) {}

  WarpSet blocked(const ConstraintView& view) override {
    const Cycle now = time_.at(static_cast<std::size_t>(view.partition), view.now);
    WarpSet blocked;
    for (const WarpId warp : view.candidates)
      if (const isa::Instruction& next = *view.instructions[warp.value];
          barriers_.blocks(warp, next) || free_at(warps_[warp.value], next) > now)
        blocked.add(warp);
    return blocked;
  }
  StallReason reason() const override { return StallReason::dependence; }
  ConstraintNeeds needs() const override { return {.time = true}; }
  /// Results of fixed latency come soon: the longest of them bounds the time for which this matters.
  Cycle next_change(Cycle now) const override { return now < fixed_until_ ? now + 1 : kNever; }
  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::issued,
            Life::prepared,      Life::reads_held,  Life::completed};
  }
  void kernel_begins(const KernelBegins&) override {
    time_.reset();
    fixed_until_ = 0;
  }
  void warp_begins(const WarpBegins& warp) override {
    warps_[warp.warp.value] = {};
    barriers_.started(warp.warp);
  }
  void prepared(const InFlight& item) override {
    time_.prepared(item);
    fixed_until_ = std::max(fixed_until_, item.operands_at + kLongest);
  }
  void issued(const InFlight& item) override {
    barriers_.issued(item);
    if (!item.collects()) return;
    Warp& warp = warps_[item.warp().value];
    const Cycle now = time_.at(time_.partition_of(item.warp()), item.issued);
    const Write write{item.instruction, item.uid, now, latencies_.is_variable(*item.instruction)};
    for (const OperandWord& word : item.footprint->reads_in_order()) {
      ++warp.readers[word.reg];
      warp.late_readers[word.reg] += write.variable;
    }
    for (const OperandWord& word : item.footprint->writes_in_order()) warp.registers[word.reg] = write;
    for (const isa::Operand& o : item.instruction->destinations())
      if (o.is_pred()) warp.predicates[o.pred.value] = write;
    fixed_until_ = std::max(fixed_until_, item.issued + kLongest);
  }
  void reads_held(const InFlight& item) override {
    Warp& warp = warps_[item.warp().value];
    const bool variable = latencies_.is_variable(*item.instruction);
    for (const OperandWord& word : item.footprint->reads_in_order()) {
      --warp.readers[word.reg];
      warp.late_readers[word.reg] -= variable;
    }
  }
  void completed(const InFlight& item) override {
    barriers_.completed(item);
    Warp& warp = warps_[item.warp().value];
    const auto end = [&](Write& write) {
      if (write.uid == item.uid) write.variable = false, write.producer = nullptr;
    };
    for (const OperandWord& word : item.footprint->writes_in_order()) end(warp.registers[word.reg]);
    for (const isa::Operand& o : item.instruction->destinations())
      if (o.is_pred()) end(warp.predicates[o.pred.value]);
  }

 private:
  static constexpr Cycle kLongest = 128;
  struct Write {
    const isa::Instruction* producer = nullptr;
    std::uint64_t uid = 0;
    Cycle issued = 0;  ///< in the time of the warp's partition
    bool variable = false;
  };
  struct Warp {
    std::array<Write, 256> registers{};
    std::array<Write, 64> predicates{};
    std::array<std::uint8_t, 256> readers{}, late_readers{};
  };

  /// Cycle in the partition's time from which a pending write no longer blocks; kNever: when it completes.
  Cycle free_at(const Write& write, isa::Reader reader) const {
    if (!write.producer) return 0;
    return write.variable ? kNever
                          : write.issued + static_cast<Cycle>(latencies_.to_reader(*write.producer, reader));
  }
  Cycle free_at(const Warp& warp, const isa::Instruction& next) const {
    Cycle free = 0;
    if (next.guard.present) free = free_at(warp.predicates[next.guard.pred.value], isa::Reader::guard);
    for (std::size_t slot = 0; slot < next.num_src; ++slot) {
      const isa::Operand& o = next.src[slot];
      const isa::Reader reader = latencies_.reader_of(next, slot);
      if (o.is_pred()) free = std::max(free, free_at(warp.predicates[o.pred.value], reader));
      for (int w = 0; w < o.words(); ++w) {
        const std::size_t r = o.reg.value + static_cast<std::size_t>(w);
        if (warp.readers[r] >= consumers_) return kNever;
        free = std::max(free, free_at(warp.registers[r], reader));
      }
    }
    // A barrier acts at issue: its result must not come before an earlier one, or before an earlier read.
    const bool barrier = next.unit == isa::UnitClass::control;
    const auto may_follow = [&](const Write& write) {
      return barrier ? free_at(write, isa::Reader::guard) : written_at(write);
    };
    for (const isa::Operand& o : next.destinations()) {
      if (o.is_pred()) free = std::max(free, may_follow(warp.predicates[o.pred.value]));
      for (int w = 0; w < o.words(); ++w) {
        const std::size_t r = o.reg.value + static_cast<std::size_t>(w);
        if (warp.late_readers[r] != 0 || (barrier && warp.readers[r] != 0)) return kNever;
        free = std::max(free, may_follow(warp.registers[r]));
      }
    }
    return free;
  }
  Cycle written_at(const Write& write) const {
    if (!write.producer) return 0;
    return write.variable ? kNever : write.issued + static_cast<Cycle>(latencies_.to_write(*write.producer));
  }

  int consumers_;
  isa::LatencyTable latencies_;
  PartitionTime time_;
  MemoryBarriers barriers_;
  std::vector<Warp> warps_;
  Cycle fixed_until_ = 0;
};

const Registration<IssueConstraint, ConsumerScoreboard, ConsumerScoreboardParameters>
    consumer_scoreboard_entry{
        "consumer-scoreboard",
        "hazards, with results of fixed latency from the bypass and a limit of pending readers",
        {.kinds = {"hazard"}, .before = {"resource"}}};

const Arrays<IssueConstraint> consumer_scoreboard_arrays{"consumer-scoreboard",
                                                         {{"scoreboard", "registers", "8", "6R2W", {}}}};

}  // namespace
}  // namespace heddle
