#include "models/compiler/dependence_counters.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/forward_flow.h"
#include "models/compiler/analyses/issue_hazards.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

constexpr unsigned kCounterCount = isa::kDependenceCounters;
constexpr std::size_t kNoProducer = std::numeric_limits<std::size_t>::max();

// Instructions of variable latency at one point of the program. `writes`: instructions whose results may be
// outstanding. `reads`: instructions that may not have read their sources yet.
struct PendingProducers {
  BitSet writes, reads;
  bool join(const PendingProducers& other) {
    const bool more = writes.merge(other.writes);
    return reads.merge(other.reads) || more;
  }
};

class CounterAssignment {
 public:
  CounterAssignment(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp,
                    const isa::LatencyTable& table)
      : program_(program),
        flow_(flow),
        warp_(warp),
        table_(table),
        number_(program.code.size(), kNoProducer) {
    for (std::size_t n = 0; n < program_.code.size(); ++n) {
      Instruction& i = program_.code[n];
      i.control.write_counter = i.control.read_counter = isa::ControlBits::kNoCounter;
      if (i.metadata || !table_.is_variable(i)) continue;
      number_[n] = producers_.size();
      producers_.push_back({.instruction = n});
    }
    list_accesses();
  }

  void run() {
    if (producers_.empty()) return;
    const PendingProducers none{BitSet(producers_.size()), BitSet(producers_.size())};
    const std::vector<PendingProducers> in =
        solve_forward(warp_, none, [this](int block, PendingProducers& state) {
          for (std::uint32_t n = flow_.block(block).first; n < flow_.block(block).end; ++n) step(n, state);
        });
    number_waiters(in);
    for (const int node : warp_.order()) {
      if (!warp_.is_block(node)) continue;
      PendingProducers state = in[static_cast<std::size_t>(node)];
      for (std::uint32_t n = flow_.block(node).first; n < flow_.block(node).end; ++n) {
        step(n, state);
        if (number_[n] != kNoProducer) choose(number_[n], state);
      }
    }
  }

 private:
  struct Producer {
    std::size_t instruction = 0;
    /// Position, in the order of execution, of the first instruction that must wait for this producer. It
    /// waits until the producer has written its results, or until the producer has read its sources.
    std::size_t first_waiter = kNoProducer;
    std::size_t place = 0;
    bool needs_read_counter = false;
  };

  /// Lists, for each member (register word or predicate), the instructions of variable latency that read it,
  /// and the instructions of variable latency that write it.
  void list_accesses() {
    const std::size_t members = program_.registers + program_.predicates;
    writers_.resize(members);
    readers_.resize(members);
    for (std::size_t p = 0; p < producers_.size(); ++p) {
      const Instruction& i = program_.code[producers_[p].instruction];
      for_each_write(i, program_.registers, [&](Member m) { writers_[m].push_back(p); });
      for_each_late_read(i, program_.registers, [&](Member m) { readers_[m].push_back(p); });
    }
  }

  // Calls write(p) for each producer p (instruction of variable latency) in `state` whose result instruction
  // n must wait for. Then calls read(p) for each producer p in `state` that still reads a register which n
  // writes.
  template <class Write, class Read>
  void for_each_wait(std::size_t n, const PendingProducers& state, Write write, Read read) const {
    const Instruction& i = program_.code[n];
    const auto touch = [&](Member m) {
      for (const std::size_t p : writers_[m])
        if (state.writes.test(p)) write(p);
    };
    for_each_read(i, table_, program_.registers, [&](Member m, isa::Reader) { touch(m); });
    for_each_write(i, program_.registers, touch);
    for_each_write(i, program_.registers, [&](Member m) {
      for (const std::size_t p : readers_[m])
        if (state.reads.test(p)) read(p);
    });
  }

  void step(std::size_t n, PendingProducers& state) const {
    const Instruction& i = program_.code[n];
    if (i.metadata) return;
    std::vector<std::size_t> ended, read;
    for_each_wait(
        n, state, [&](std::size_t p) { ended.push_back(p); }, [&](std::size_t p) { read.push_back(p); });
    for (const std::size_t p : ended) {
      state.writes.reset(p);
      state.reads.reset(p);
    }
    for (const std::size_t p : read) state.reads.reset(p);
    const std::size_t own = number_[n];
    if (own == kNoProducer) return;
    if (i.num_dst > 0) state.writes.set(own);
    state.reads.set(own);
  }

  void number_waiters(const std::vector<PendingProducers>& in) {
    std::size_t place = 0;
    for (const int node : warp_.order()) {
      if (!warp_.is_block(node)) continue;
      for (std::uint32_t n = flow_.block(node).first; n < flow_.block(node).end; ++n, ++place)
        if (number_[n] != kNoProducer) producers_[number_[n]].place = place;
    }
    place = 0;
    for (const int node : warp_.order()) {
      if (!warp_.is_block(node)) continue;
      PendingProducers state = in[static_cast<std::size_t>(node)];
      for (std::uint32_t n = flow_.block(node).first; n < flow_.block(node).end; ++n, ++place) {
        if (program_.code[n].metadata) continue;
        BitSet ended(producers_.size());
        for_each_wait(
            n, state,
            [&](std::size_t p) {
              ended.set(p);
              note_waiter(producers_[p], place);
            },
            [&](std::size_t p) {
              if (ended.test(p)) return;
              producers_[p].needs_read_counter = true;
              note_waiter(producers_[p], place);
            });
        step(n, state);
      }
    }
  }

  // Notes that the instruction at position `place` must wait for producer p. Keeps, for p, the waiting
  // instruction that the warp reaches first after p. The warp first reaches positions after p, then, through
  // a loop, positions before p.
  static void note_waiter(Producer& p, std::size_t place) {
    const bool behind = place > p.place,
               known_behind = p.first_waiter != kNoProducer && p.first_waiter > p.place;
    if (p.first_waiter == kNoProducer || (behind && !known_behind) ||
        (behind == known_behind && place < p.first_waiter))
      p.first_waiter = place;
  }

  void choose(std::size_t own, const PendingProducers& state) {
    Instruction& i = program_.code[producers_[own].instruction];
    if (i.num_dst > 0) i.control.write_counter = counter_for(own, state, true, isa::ControlBits::kNoCounter);
    if (producers_[own].needs_read_counter)
      i.control.read_counter = counter_for(own, state, false, i.control.write_counter);
  }

  // Returns the dependence counter for producer `own` (an instruction of variable latency). `writes`: true
  // for the counter of its results, false for the counter of its reads. `taken`: a counter that must not be
  // used.
  std::uint8_t counter_for(std::size_t own, const PendingProducers& state, bool writes,
                           std::uint8_t taken) const {
    struct Use {
      bool writes = false, reads = false;
      bool same = false;  ///< another instruction with this counter has the same first waiter
      /// Smallest distance between two first waiters: that of `own`, and that of another instruction with
      /// this counter. The first waiter of an instruction is the first instruction that must wait for it.
      std::size_t nearest = kNoProducer;
      bool used() const { return writes || reads; }
    };
    std::array<Use, kCounterCount> uses{};
    const std::size_t waiter = producers_[own].first_waiter;
    const auto note = [&](std::size_t p, bool is_write) {
      if (p == own) return;
      const isa::ControlBits& bits = program_.code[producers_[p].instruction].control;
      const unsigned k = is_write ? bits.write_counter : bits.read_counter;
      if (k >= kCounterCount) return;
      Use& use = uses[k];
      (is_write ? use.writes : use.reads) = true;
      const std::size_t other = producers_[p].first_waiter;
      use.same = use.same || other == waiter;
      if (other != kNoProducer && waiter != kNoProducer)
        use.nearest = std::min(use.nearest, other > waiter ? other - waiter : waiter - other);
    };
    state.writes.for_each([&](std::size_t p) { note(p, true); });
    state.reads.for_each([&](std::size_t p) { note(p, false); });
    if (taken < kCounterCount) uses[taken].writes = true;
    int free = 0;
    bool other_kind = false;
    for (const Use& use : uses) {
      free += !use.used();
      other_kind = other_kind || (writes ? use.reads : use.writes);
    }
    int best = -1;
    const auto better = [&](unsigned k) {
      if (best < 0) return true;
      const Use &a = uses[k], &b = uses[static_cast<std::size_t>(best)];
      return a.same != b.same ? a.same : a.nearest < b.nearest;
    };
    // True if a free counter may be taken. A counter serves either results (writes) or reads. If no counter
    // serves the other kind yet, the last free counter is reserved for it.
    const bool may_take_free = free > 1 || (free == 1 && other_kind);
    for (unsigned k = 0; k < kCounterCount && may_take_free; ++k)
      if (!uses[k].used()) return static_cast<std::uint8_t>(k);
    for (unsigned k = 0; k < kCounterCount; ++k)
      if (k != taken && uses[k].used() && !(writes ? uses[k].reads : uses[k].writes) && better(k))
        best = static_cast<int>(k);
    for (unsigned k = 0; k < kCounterCount && best < 0; ++k)
      if (k != taken && !uses[k].used()) return static_cast<std::uint8_t>(k);
    for (unsigned k = 0; k < kCounterCount && best < 0; ++k)
      if (k != taken) best = static_cast<int>(k);
    return static_cast<std::uint8_t>(best);
  }

  isa::Program& program_;
  const ControlFlow& flow_;
  const WarpFlow& warp_;
  const isa::LatencyTable& table_;
  /// for each instruction: its number among the instructions of variable latency
  std::vector<std::size_t> number_;
  std::vector<Producer> producers_;
  std::vector<std::vector<std::size_t>> writers_, readers_;
};

}  // namespace

void assign_counters(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp,
                     const isa::LatencyTable& table) {
  CounterAssignment(program, flow, warp, table).run();
}

}  // namespace heddle::compiler
