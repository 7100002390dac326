#pragma once

// Liveness of register words and predicates, per thread and per warp.
//
// Per thread: a value is live if some path of the thread reads it before overwriting it. Variables that are
// never live together in one thread may share a register, because a write affects only active lanes.
//
// Per warp: a value is live if some lane of the warp, possibly a waiting one, will read its part of the
// register. Code that discards a whole warp-wide register (release, liveness hint, omitted write-back) must
// use per-warp liveness.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/block_liveness.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Register words and predicates that are live before and after each instruction. In the sets, the register
/// words have the numbers 0 to registers - 1, and the predicates follow. Live sets are stored only for block
/// boundaries. For other positions, a query finds the next access to the register by binary search.
class LiveSets {
 public:
  LiveSets(const isa::Program& program, const ControlFlow& flow);

  class Point {
   public:
    Point(const LiveSets& sets, std::size_t instruction) : sets_(&sets), instruction_(instruction) {}
    bool test(std::size_t member) const { return sets_->live_before(instruction_, member); }

   private:
    const LiveSets* sets_;
    std::size_t instruction_;
  };
  Point before(std::size_t instruction) const { return {*this, instruction}; }

  bool word_before(std::size_t i, std::uint32_t word) const { return live_before(i, word); }
  bool word_after(std::size_t i, std::uint32_t word) const { return live_after(i, word); }
  bool predicate_before(std::size_t i, std::uint32_t p) const { return live_before(i, words_ + p); }
  bool predicate_after(std::size_t i, std::uint32_t p) const { return live_after(i, words_ + p); }

  int words_live_before(std::size_t i) const { return before_[i].words; }
  int predicates_live_before(std::size_t i) const { return before_[i].predicates; }
  /// Largest number of words (or predicates) that are live at the same time. Results that no instruction
  /// reads do not count.
  int max_words() const { return most_.words; }
  int max_predicates() const { return most_.predicates; }

  std::size_t words() const { return words_; }
  std::size_t universe() const { return universe_; }

 protected:
  struct Counts {
    int words = 0;
    int predicates = 0;
  };
  struct Access {
    std::uint32_t instruction = 0;
    bool reads = false;
    bool kills = false;
  };

  bool live_before(std::size_t i, std::size_t member) const { return live_from(i, block_of_[i], member); }
  bool live_after(std::size_t i, std::size_t member) const { return live_from(i + 1, block_of_[i], member); }
  /// Returns true if a thread may still read the value of `member` (a register word or predicate) at
  /// instruction i or later, before overwriting it. If i is the end of the block: returns true if `member` is
  /// live at this end.
  bool thread_live_from(std::size_t i, int block, std::size_t member) const;
  bool live_from(std::size_t i, int block, std::size_t member) const {
    return waits(block, member) || thread_live_from(i, block, member);
  }
  bool waits(int block, std::size_t member) const {
    if (waiting_.empty() || flow_.bit_of(member) < 0) return false;
    return waiting_[static_cast<std::size_t>(block)].test(static_cast<std::size_t>(flow_.bit_of(member)));
  }
  void count(const isa::Program& program, const ControlFlow& flow);
  Counts count(const BitSet& set) const;

  std::size_t words_ = 0;
  std::size_t universe_ = 0;
  std::vector<int> block_of_;
  std::vector<std::uint32_t> block_end_;
  BlockLiveness flow_;
  std::vector<std::uint32_t> first_access_;
  std::vector<Access> accesses_;
  std::vector<Counts> before_;
  Counts most_;
  /// For each block: values that some lanes of the warp still need, while these lanes wait at another block.
  std::vector<BitSet> waiting_;
};

/// Liveness per warp: a value is live while any lane of the warp, also a waiting one, will read it.
/// Instruction::reconvergence of all guarded branches must be set.
class WarpLiveSets : public LiveSets {
 public:
  WarpLiveSets(const isa::Program& program, const ControlFlow& flow, const LiveSets& thread,
               const Divergence& divergence);

  /// Returns true if no lane of the warp reads the old content of `word` after instruction i has read its
  /// sources.
  bool dies_at(const isa::Program& program, std::size_t i, std::uint32_t word) const;
};

}  // namespace heddle::compiler
