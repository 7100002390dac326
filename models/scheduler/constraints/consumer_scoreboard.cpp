// Models two scoreboards of a core with bypass (Huerta 2025, section 7.5), which replace the compiler's control
// bits. The first scoreboard holds pending writes. An instruction waits for a pending write of its registers
// until the result can be bypassed. The second scoreboard holds pending readers. An instruction that writes a
// register waits for pending readers of variable latency. It need not wait for readers of fixed latency,
// because these readers read before the instruction can write. A register has at most `consumers` pending
// readers of both kinds together. An instruction counts once for each register that it reads.

#include <array>

#include "models/core/error.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/constraints/warp_points.h"
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
        warps_(static_cast<std::size_t>(context.warps)),
        points_(context, parameters.consumers) {}

  WarpSet blocked(const ConstraintView& view) override {
    const Cycle now = time_.at(static_cast<std::size_t>(view.partition), view.now);
    WarpSet blocked;
    for (const WarpId warp : view.candidates)
      if (const isa::Instruction& next = *view.instructions[warp.value];
          barriers_.blocks(warp, next) || free_at(warps_[warp.value], next) > now)
        blocked.add(warp);
    if (points_.any()) observe(view, now, blocked);
    return blocked;
  }
  StallReason reason() const override { return StallReason::dependence; }
  ConstraintNeeds needs() const override { return {.time = true}; }
  /// Returns the next cycle while a result of fixed latency is pending, otherwise kNever. Such a result is
  /// pending for at most kLongest cycles, and can unblock a warp without any event.
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
    if (points_.any()) points_.begins(warp.warp);
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
    item.footprint->reads.for_each([&](std::uint32_t r) {
      ++warp.readers[r];
      warp.late_readers[r] += write.variable;
    });
    for_each_write(item, [&](std::size_t entry) { warp.writes[entry] = write; });
    fixed_until_ = std::max(fixed_until_, item.issued + kLongest);
    if (points_.any()) issue_to(points_.events(item.warp()), item);
  }
  void reads_held(const InFlight& item) override {
    Warp& warp = warps_[item.warp().value];
    const bool variable = latencies_.is_variable(*item.instruction);
    item.footprint->reads.for_each([&](std::uint32_t r) {
      --warp.readers[r];
      warp.late_readers[r] -= variable;
    });
    if (points_.any()) release_in(points_.events(item.warp()), item);
  }
  void completed(const InFlight& item) override {
    barriers_.completed(item);
    Warp& warp = warps_[item.warp().value];
    for_each_write(item, [&](std::size_t entry) {
      Write& write = warp.writes[entry];
      if (write.uid != item.uid) return;
      if (points_.any() && write.producer) Point::set(points_.events(item.warp()).written, entry);
      write.variable = false, write.producer = nullptr;
    });
  }
  void probes(const ProbeScope& scope) override { points_.probes(scope); }

 private:
  using Point = ConsumerPoint;
  static constexpr Cycle kLongest = 128;
  static constexpr std::size_t kRegisters = 256, kEntries = kRegisters + 64;
  struct Write {
    const isa::Instruction* producer = nullptr;
    std::uint64_t uid = 0;
    Cycle issued = 0;  ///< cycle of the issue; cycles in which the partition is blocked do not count
    bool variable = false;
  };
  /// State of one warp. The arrays are indexed by register; `writes` also has entries for predicates, after
  /// the registers.
  struct Warp {
    std::array<Write, kEntries> writes{};
    std::array<std::uint8_t, kRegisters> readers{}, late_readers{};
  };
  static std::size_t entry_of(const isa::Operand& predicate) { return kRegisters + predicate.pred.value; }

  template <class F>
  static void for_each_write(const InFlight& item, F f) {
    for (const OperandWord& word : item.footprint->writes_in_order()) f(std::size_t{word.reg});
    for (const isa::Operand& o : item.instruction->destinations())
      if (o.is_pred()) f(entry_of(o));
  }
  /// Calls read(entry, reader) for the guard and for each register or predicate of the sources, and
  /// write(entry) for each register or predicate of the destinations. An operand of several words has several
  /// registers.
  template <class Read, class Written>
  void visit(const isa::Instruction& next, Read read, Written write) const {
    if (next.guard.present) read(kRegisters + next.guard.pred.value, isa::Reader::guard);
    for (std::size_t slot = 0; slot < next.num_src; ++slot) {
      const isa::Operand& o = next.src[slot];
      const isa::Reader reader = latencies_.reader_of(next, slot);
      if (o.is_pred()) read(entry_of(o), reader);
      for (int w = 0; w < o.words(); ++w) read(o.reg.value + static_cast<std::size_t>(w), reader);
    }
    for (const isa::Operand& o : next.destinations()) {
      if (o.is_pred()) write(entry_of(o));
      for (int w = 0; w < o.words(); ++w) write(o.reg.value + static_cast<std::size_t>(w));
    }
  }

  /// Returns the first cycle in which a pending write no longer blocks a reader, in the cycle count of
  /// PartitionTime, which leaves out blocked cycles. kNever: the write blocks the reader until it completes.
  Cycle free_at(const Write& write, isa::Reader reader) const {
    if (!write.producer) return 0;
    return write.variable ? kNever
                          : write.issued + static_cast<Cycle>(latencies_.to_reader(*write.producer, reader));
  }
  Cycle written_at(const Write& write) const {
    if (!write.producer) return 0;
    return write.variable ? kNever : write.issued + static_cast<Cycle>(latencies_.to_write(*write.producer));
  }
  /// Returns the first cycle in which `next` may issue if it writes the entry that `write`, a pending write,
  /// also writes. A barrier writes its result as early as at issue, so it must wait until an instruction
  /// could read the earlier result.
  Cycle may_follow(const Write& write, const isa::Instruction& next) const {
    return is_barrier(next) ? free_at(write, isa::Reader::guard) : written_at(write);
  }
  static bool is_barrier(const isa::Instruction& next) { return next.unit == isa::UnitClass::control; }
  /// True if every pending reader of a register reads the register before `next` can write it.
  static bool reads_come_first(const Warp& warp, std::size_t entry, const isa::Instruction& next) {
    if (entry >= kRegisters) return true;
    return (is_barrier(next) ? warp.readers : warp.late_readers)[entry] == 0;
  }

  Cycle free_at(const Warp& warp, const isa::Instruction& next) const {
    Cycle free = 0;
    visit(
        next,
        [&](std::size_t entry, isa::Reader reader) {
          const bool full = entry < kRegisters && warp.readers[entry] >= consumers_;
          free = std::max(free, full ? kNever : free_at(warp.writes[entry], reader));
        },
        [&](std::size_t entry) {
          const bool read = reads_come_first(warp, entry, next);
          free = std::max(free, read ? may_follow(warp.writes[entry], next) : kNever);
        });
    return free;
  }

  void issue_to(Point::View& events, const InFlight& item) const {
    item.footprint->reads.for_each([&](std::uint32_t r) { Point::set(events.issued_reads, r); });
    for_each_write(item, [&](std::size_t entry) { Point::set(events.issued_writes, entry); });
  }
  static void release_in(Point::View& events, const InFlight& item);
  void observe(const ConstraintView& view, Cycle now, WarpSet& blocked);
  void see_next(Point::View& at, const Warp& warp, const isa::Instruction& next, Cycle now) const;

  int consumers_;
  isa::LatencyTable latencies_;
  PartitionTime time_;
  MemoryBarriers barriers_;
  std::vector<Warp> warps_;
  WarpPoints<Point> points_;
  Cycle fixed_until_ = 0;
};

// Records that the reads of an instruction have ended: adds 1 to the two-bit count of ended reads
// (released_twos, released_ones) of each register that the instruction reads.
void ConsumerScoreboard::release_in(Point::View& events, const InFlight& item) {
  for (std::size_t i = 0; i < kRegisterWords; ++i) {
    const std::uint64_t ends = item.footprint->reads.bits[i];
    if (ends & events.released_ones[i] & events.released_twos[i])
      throw InternalError("more than three reads of a register end in one cycle");
    events.released_twos[i] ^= ends & events.released_ones[i];
    events.released_ones[i] ^= ends;
  }
}

// Sets the members of the probe point's view that describe the next instruction. `bypassed`: entries
// (registers and predicates) whose pending value reaches the instruction in time. If the instruction reads an
// entry twice, the value must reach both reads in time.
void ConsumerScoreboard::see_next(Point::View& at, const Warp& warp, const isa::Instruction& next,
                                  Cycle now) const {
  Point::Entries late{};
  visit(
      next,
      [&](std::size_t entry, isa::Reader reader) {
        Point::set(at.next_reads, entry);
        if (warp.writes[entry].producer)
          Point::set(free_at(warp.writes[entry], reader) > now ? late : at.bypassed, entry);
      },
      [&](std::size_t entry) {
        Point::set(at.next_writes, entry);
        if (warp.writes[entry].producer && may_follow(warp.writes[entry], next) <= now)
          Point::set(at.ordered, entry);
        if (reads_come_first(warp, entry, next)) Point::set(at.in_window, entry);
      });
  for (std::size_t i = 0; i < late.size(); ++i) at.bypassed[i] &= ~late[i];
}

void ConsumerScoreboard::observe(const ConstraintView& view, Cycle now, WarpSet& blocked) {
  points_.observe(
      view, blocked,
      [&](WarpId id, Point::View& at) {
        const Warp& warp = warps_[id.value];
        Point::Answer answer;
        for (std::size_t e = 0; e < kEntries; ++e)
          if (warp.writes[e].producer) Point::set(answer.pending, e);
        for (std::size_t r = 0; r < kRegisters; ++r)
          if (warp.readers[r] != 0) Point::set(answer.read_pending, r);
        at.candidate = view.candidates.contains(id);
        if (!at.candidate) return answer;
        const isa::Instruction& next = *view.instructions[id.value];
        see_next(at, warp, next, now);
        answer.waits = free_at(warp, next) > now;
        return answer;
      },
      [&](WarpId id, const Point::Answer& answer) {
        return answer.waits || barriers_.blocks(id, *view.instructions[id.value]);
      });
}

const Registration<IssueConstraint, ConsumerScoreboard, ConsumerScoreboardParameters>
    consumer_scoreboard_entry{
        "consumer-scoreboard",
        "hazards, with results of fixed latency from the bypass and a limit of pending readers",
        {.kinds = {"hazard"}, .before = {"resource"}}};

const Arrays<IssueConstraint> consumer_scoreboard_arrays{"consumer-scoreboard",
                                                         {{"scoreboard", "registers", "8", "6R2W", {}}}};

}  // namespace
}  // namespace heddle
