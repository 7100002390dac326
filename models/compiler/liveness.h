#pragma once

// Liveness of register words and predicates, in two senses.
//
// Per thread: some path of the thread reads the value before the thread overwrites it. Two variables that are
// never live together in this sense may share a register: every write touches the active lanes alone, and a
// lane that waits on another path keeps its own words untouched. Cross-lane operations (shfl, vote, match,
// redux) don't change that: the lanes whose words they read execute the very same instruction, so the word is
// live there too.
//
// Per warp: some lane of the warp, wherever it waits, will read its part of the register. Lanes wait at the
// other side of an enclosing divergent branch, or at its reconvergence point; what is live there is live for
// the warp. Whoever discards a whole warp-wide register (release, liveness hint, elided write-back) asks this
// one.

#include <cstdint>
#include <vector>

#include "models/compiler/bit_set.h"
#include "models/compiler/control_flow.h"
#include "models/compiler/divergence.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Solves out[b] = union of in[s], in[b] = use[b] | (out[b] - kill[b]) over the successors s; returns out.
std::vector<BitSet> solve_backward(const ControlFlow& flow, const std::vector<BitSet>& use,
                                   const std::vector<BitSet>& kill);

/// Live sets around every instruction. Words are members 0 .. registers - 1, predicates follow.
class LiveSets {
 public:
  LiveSets(const isa::Program& program, const ControlFlow& flow);

  const BitSet& before(std::size_t instruction) const {
    return is_first_[instruction] ? block_in_[static_cast<std::size_t>(block_of_[instruction])]
                                  : after_[instruction - 1];
  }
  const BitSet& after(std::size_t instruction) const { return after_[instruction]; }

  bool word_before(std::size_t i, std::uint32_t word) const { return before(i).test(word); }
  bool word_after(std::size_t i, std::uint32_t word) const { return after(i).test(word); }
  bool predicate_before(std::size_t i, std::uint32_t p) const { return before(i).test(words_ + p); }
  bool predicate_after(std::size_t i, std::uint32_t p) const { return after(i).test(words_ + p); }

  int words_live_before(std::size_t i) const { return count(before(i), 0, words_); }
  int predicates_live_before(std::size_t i) const { return count(before(i), words_, universe_); }
  /// Most words (predicates) live at once, around any instruction; results that nobody reads not counted.
  int max_words() const;
  int max_predicates() const;

  std::size_t words() const { return words_; }
  std::size_t universe() const { return universe_; }

 protected:
  static int count(const BitSet& set, std::size_t low, std::size_t high);

  std::size_t words_ = 0;
  std::size_t universe_ = 0;
  std::vector<int> block_of_;
  std::vector<bool> is_first_;
  std::vector<BitSet> block_in_;
  std::vector<BitSet> after_;
};

/// Needs Instruction::reconvergence of every guarded branch.
class WarpLiveSets : public LiveSets {
 public:
  WarpLiveSets(const isa::Program& program, const ControlFlow& flow, const LiveSets& thread,
               const Divergence& divergence);

  /// What lanes that wait elsewhere may still read while the warp executes `block`.
  const BitSet& waiting(int block) const { return waiting_[static_cast<std::size_t>(block)]; }

  /// The old content of `word` may be discarded once instruction i has read its sources: no lane of the warp
  /// reads it any more.
  bool dies_at(const isa::Program& program, std::size_t i, std::uint32_t word) const;

 private:
  std::vector<BitSet> waiting_;
};

}  // namespace heddle::compiler
