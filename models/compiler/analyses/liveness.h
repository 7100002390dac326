#pragma once

// Liveness of register words and predicates, in two senses.
//
// Per thread: some path of the thread reads the value before the thread overwrites it. Two variables that are
// never live together in this sense may share a register: every write touches the active lanes alone, and a
// lane that waits on another path keeps its own words untouched. Cross-lane operations (shfl, vote, match,
// redux) do not change that: the lanes whose words they read execute the same instruction, so the word is
// live there too.
//
// Per warp: some lane of the warp, wherever it waits, will read its part of the register. Lanes wait at the
// other side of an enclosing divergent branch, or at its reconvergence point; a word that is live there is
// live for the warp. Code that discards a whole warp-wide register (release, liveness hint, elided
// write-back) must use this sense.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/block_liveness.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Live values around every instruction. Words are members 0 .. registers - 1, predicates follow. Kept are
/// the sets at the ends of blocks and the accesses of every member, so that a question costs a binary search.
class LiveSets {
 public:
  LiveSets(const isa::Program& program, const ControlFlow& flow);

  /// What is live before one instruction: test(member).
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
  /// Most words (predicates) live at one time, around any instruction; unused results do not count.
  int max_words() const { return most_.words; }
  int max_predicates() const { return most_.predicates; }

  std::size_t words() const { return words_; }
  std::size_t universe() const { return universe_; }

 protected:
  struct Counts {
    int words = 0;
    int predicates = 0;
  };
  /// An instruction that reads a member, or overwrites it in all active lanes, or both.
  struct Access {
    std::uint32_t instruction = 0;
    bool reads = false;
    bool kills = false;
  };

  bool live_before(std::size_t i, std::size_t member) const { return live_from(i, block_of_[i], member); }
  bool live_after(std::size_t i, std::size_t member) const { return live_from(i + 1, block_of_[i], member); }
  /// Live before instruction i, or, if that is its end, at the end of the block; for the thread.
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
  std::vector<std::uint32_t> first_access_;  ///< by member, index into accesses_; one more at the end
  std::vector<Access> accesses_;             ///< of one member ascending by instruction
  std::vector<Counts> before_;
  Counts most_;
  std::vector<BitSet> waiting_;  ///< by block, over the bits of flow_: live for lanes elsewhere; may be empty
};

/// Needs Instruction::reconvergence of every guarded branch.
class WarpLiveSets : public LiveSets {
 public:
  WarpLiveSets(const isa::Program& program, const ControlFlow& flow, const LiveSets& thread,
               const Divergence& divergence);

  /// The old content of `word` may be discarded once instruction i has read its sources: no lane of the warp
  /// reads it any more.
  bool dies_at(const isa::Program& program, std::size_t i, std::uint32_t word) const;
};

}  // namespace heddle::compiler
