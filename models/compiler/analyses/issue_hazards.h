#pragma once

// Results and reads that may be outstanding when a warp issues an instruction on a core without a scoreboard
// (Huerta 2025, section 4). A result of fixed latency is outstanding for a number of cycles. A result of
// variable latency is outstanding until the warp waits for its dependence counter.

#include <array>
#include <cstdint>
#include <vector>

#include "models/isa/latency_table.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Number of a member: a register word or a predicate. Words have the lower numbers, predicates follow.
using Member = std::uint32_t;

/// Number of cycles between the issue of an instruction with these control bits and the next issue of the
/// warp.
int issue_gap(const isa::ControlBits& bits);

/// Calls f(member, reader) for each register word or predicate (member) that the instruction reads, including
/// its guard.
template <class F>
void for_each_read(const isa::Instruction& i, const isa::LatencyTable& table, std::uint32_t words, F&& f) {
  if (i.guard.present) f(words + i.guard.pred.value, isa::Reader::guard);
  for (std::size_t s = 0; s < i.num_src; ++s) {
    const isa::Operand& o = i.src[s];
    if (o.is_pred()) f(words + o.pred.value, table.reader_of(i, s));
    for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w), table.reader_of(i, s));
  }
}
template <class F>
void for_each_write(const isa::Instruction& i, std::uint32_t words, F&& f) {
  for (const isa::Operand& o : i.destinations()) {
    if (o.is_pred()) f(words + o.pred.value);
    for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w));
  }
}
/// Calls f(member) for each register word or predicate (member) that the instruction may read some time after
/// its issue.
template <class F>
void for_each_late_read(const isa::Instruction& i, std::uint32_t words, F&& f) {
  if (i.unit == isa::UnitClass::control) return;
  for (const isa::Operand& o : i.sources()) {
    if (o.is_pred()) f(words + o.pred.value);
    for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w));
  }
}

/// Outstanding results and reads of a warp at one point between two consecutive issues. All cycles are
/// counted from the earlier of the two issues.
class IssueHazards {
 public:
  struct Outstanding {
    std::array<std::uint8_t, isa::kReaders> ready{};  ///< cycles until a reader of each kind may issue
    std::uint8_t written = 0;  ///< cycles until the result of a fixed-latency instruction is written
    std::uint8_t read = 0;     ///< cycles until an instruction of variable latency may write this register
    /// Cycles until a barrier whose result is this register word or predicate may issue. A barrier may write
    /// its result in the cycle of its issue.
    std::uint8_t left = 0;
    /// Dependence counters (bits 0 to 5) of the outstanding writes of this register or predicate. Bit 6: a
    /// write without a counter is outstanding.
    std::uint8_t writes = 0;
    /// Outstanding reads by instructions of variable latency: a set of pairs (read counter, write counter),
    /// one bit for each pair. A wait for either counter of a pair completes the read.
    std::uint64_t reads = 0;
    bool any() const;
    bool join(const Outstanding& other);
  };

  /// Kind of a hazard, and the register word or predicate that it concerns, for error messages.
  struct Conflict {
    enum class Kind { none, early, order, overwrite, write, read } kind = Kind::none;
    Member member = 0;
    int cycles = 0;
  };

  IssueHazards(const isa::LatencyTable& table, std::uint32_t words) : table_(&table), words_(words) {}

  bool join(const IssueHazards& other);
  /// Moves the point in time of this object forward by `cycles`: subtracts them from all remaining cycles.
  void advance(int cycles);

  /// Returns the dependence counters that instruction i must wait for.
  std::uint8_t counters_before(const isa::Instruction& i) const;
  /// Returns the number of cycles that must pass before instruction i may issue, if i waits for the counters
  /// of `mask`.
  int cycles_before(const isa::Instruction& i, std::uint8_t mask) const;
  /// Returns the first hazard that instruction i would have if it issued now.
  Conflict conflict_of(const isa::Instruction& i) const;
  /// Records the issue of instruction i. Removes the reads and results that are complete because i waits for
  /// their counters (its wait mask). Adds the reads and results of i as outstanding.
  void issue(const isa::Instruction& i);

  static constexpr std::uint8_t kNoCounterBit = 1u << isa::kDependenceCounters;

 private:
  const Outstanding* find(Member member) const;
  Outstanding& at(Member member);
  void wait(std::uint8_t mask);

  const isa::LatencyTable* table_;
  std::uint32_t words_;
  std::vector<std::pair<Member, Outstanding>> members_;  ///< in ascending order
  /// For each dependence counter: cycles until the counter's last increment takes effect. An instruction that
  /// waits for the counter must not issue earlier.
  std::array<std::uint8_t, isa::kDependenceCounters> raised_{};
};

}  // namespace heddle::compiler
