#include "tests/compiler/issue_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

#include "models/isa/latency_table.h"

namespace heddle::compiler::test {
namespace {

using isa::Instruction;
using isa::Operand;
using isa::Reader;

using Time = long long;

// Time at which an issued instruction writes a result or reads an operand, in cycles from the start of the
// walk.
struct Event {
  std::size_t producer = 0;
  bool variable = false;
  Time issued = 0;
  Time ends = 0;  ///< only for variable latency: cycle of the write or read
};

class Walker {
 public:
  Walker(const isa::Program& program, std::uint64_t seed)
      : program_(program), table_(*program.latencies), dice_(seed) {}

  std::optional<WalkFault> issue(std::size_t n) {
    const Instruction& i = program_.code[n];
    wait(i);
    std::optional<WalkFault> fault;
    const auto fail = [&](std::string what) {
      if (!fault) fault = WalkFault{n, std::move(what)};
    };
    each_read(i, [&](std::uint32_t m, Reader reader) {
      for (const Event& w : writes_[m]) {
        const Time ready =
            w.variable ? w.ends : w.issued + table_.to_reader(program_.code[w.producer], reader);
        if (now_ < ready)
          fail(fmt::format("reads {} of instruction {} at {}, ready at {}", m, w.producer, now_, ready));
      }
    });
    for (std::size_t s = 0; s < i.num_src; ++s) read_cached(i, s, fail);
    each_write(i, [&](std::uint32_t m) {
      for (const Event& w : writes_[m]) {
        const Time written = w.variable ? w.ends : w.issued + program_latency(w.producer);
        const Time own = table_.is_variable(i) ? now_ : now_ + program_latency(n) - 1;
        if (own < written) fail(fmt::format("writes {} before instruction {} has", m, w.producer));
      }
      for (const Event& r : reads_[m]) {
        const Time end = r.variable ? r.ends : table_.is_variable(i) ? r.issued + table_.overwrite : now_;
        if (now_ < end) fail(fmt::format("writes {} before instruction {} has read it", m, r.producer));
      }
    });
    record(n);
    return fault;
  }

 private:
  template <class F>
  void each_read(const Instruction& i, F&& f) const {
    if (i.guard.present) f(program_.registers + i.guard.pred.value, Reader::guard);
    for (std::size_t s = 0; s < i.num_src; ++s) {
      const Operand& o = i.src[s];
      if (o.is_pred()) f(program_.registers + o.pred.value, table_.reader_of(i, s));
      for (int w = 0; w < o.words(); ++w)
        f(o.reg.value + static_cast<std::uint32_t>(w), table_.reader_of(i, s));
    }
  }
  template <class F>
  void each_write(const Instruction& i, F&& f) const {
    for (const Operand& o : i.destinations()) {
      if (o.is_pred()) f(program_.registers + o.pred.value);
      for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w));
    }
  }
  Time program_latency(std::size_t n) const { return table_.to_write(program_.code[n]); }

  // Waits until the counters in the wait mask are zero. The scheduler sees that an instruction has
  // incremented a counter only `raise` cycles after the instruction's issue.
  void wait(const Instruction& i) {
    for (bool waits = true; waits;) {
      waits = false;
      for (const auto& [counter, raised, falls] : raises_)
        if (i.control.wait_mask >> counter & 1u && now_ >= raised + table_.raise && now_ < falls) {
          now_ = falls;
          waits = true;
        }
    }
  }

  template <class F>
  void read_cached(const Instruction& i, std::size_t slot, F& fail) {
    if (slot >= 3 || i.unit == isa::UnitClass::control || table_.is_variable(i)) return;
    const Operand& o = i.src[slot];
    for (int w = 0; w < o.words(); ++w) {
      const std::uint32_t word = o.reg.value + static_cast<std::uint32_t>(w);
      auto& entry = cache_[word % 2][slot];
      if (entry && *entry == word && version_[word] != cached_version_[word % 2][slot])
        fail(fmt::format("finds an old value of {} in the reuse cache", word));
      if (o.annotation.reuse) {
        if (!entry || *entry != word) cached_version_[word % 2][slot] = version_[word];
        entry = word;
      } else {
        entry.reset();
      }
    }
  }

  void record(std::size_t n) {
    const Instruction& i = program_.code[n];
    const bool variable = table_.is_variable(i);
    // Operands are read some time before results are written.
    const Time reads = now_ + 1 + static_cast<Time>(dice_() % 40);
    const Time writes = reads + 1 + static_cast<Time>(dice_() % 300);
    if (i.unit != isa::UnitClass::control)
      for (const Operand& o : i.sources()) {
        if (o.is_pred()) note(reads_[program_.registers + o.pred.value], {n, variable, now_, reads});
        for (int w = 0; w < o.words(); ++w)
          note(reads_[o.reg.value + static_cast<std::uint32_t>(w)], {n, variable, now_, reads});
      }
    each_write(i, [&](std::uint32_t m) {
      note(writes_[m], {n, variable, now_, writes});
      ++version_[m];
    });
    if (variable) {
      if (i.control.write_counter < 6) raises_.push_back({i.control.write_counter, now_, writes});
      if (i.control.read_counter < 6) raises_.push_back({i.control.read_counter, now_, reads});
    }
    std::erase_if(raises_, [this](const Raise& r) { return r.falls < now_; });
    Time gap = i.control.stall;
    if (gap == 0) gap = i.control.yield ? 45 : 1;
    if (gap > 11 && !i.control.yield) gap = 1 + static_cast<Time>(dice_() % 2);
    now_ += gap;
  }

  static void note(std::vector<Event>& events, const Event& event) {
    if (events.size() == 8) events.erase(events.begin());
    events.push_back(event);
  }

  struct Raise {
    unsigned counter;
    Time raised, falls;
  };
  const isa::Program& program_;
  const isa::LatencyTable& table_;
  std::mt19937_64 dice_;
  Time now_ = 0;
  std::map<std::uint32_t, std::vector<Event>> writes_, reads_;
  std::map<std::uint32_t, std::uint64_t> version_;
  std::vector<Raise> raises_;
  std::array<std::array<std::optional<std::uint32_t>, 3>, 2> cache_;
  std::array<std::array<std::uint64_t, 3>, 2> cached_version_{};
};

}  // namespace

std::optional<WalkFault> walk_randomly(const isa::Program& program, const ControlFlow& flow,
                                       const WarpFlow& warp, std::uint64_t seed, int steps) {
  std::mt19937_64 dice(seed);
  Walker walker(program, seed + 1);
  int node = 0;
  for (int step = 0; step < steps; ++step) {
    if (warp.is_block(node))
      for (std::uint32_t n = flow.block(node).first; n < flow.block(node).end; ++n, ++step)
        if (!program.code[n].metadata)
          if (auto fault = walker.issue(n)) return fault;
    const auto& next = warp.successors(node);
    if (next.empty()) return std::nullopt;
    node = next[dice() % next.size()];
  }
  return std::nullopt;
}

}  // namespace heddle::compiler::test
