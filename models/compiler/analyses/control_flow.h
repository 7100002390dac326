#pragma once

// Control-flow graph of a program: basic blocks, dominators, meeting points of branches, and natural loops.

#include <cstdint>
#include <span>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

inline constexpr int kNoBlock = -1;

struct BasicBlock {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  /// Successor blocks without duplicates: the fall-through block first, then the branch target.
  std::vector<int> successors;
  std::vector<int> predecessors;
  bool exits = false;  ///< The block ends with exit (guarded or not) or with an unguarded trap.
  bool reachable = false;
  int loop_depth = 0;
};

class ControlFlow {
 public:
  /// Builds the graph. Throws Error for a branch target outside the program and for a path that runs past the
  /// program's end.
  explicit ControlFlow(const isa::Program& program);

  const std::vector<BasicBlock>& blocks() const { return blocks_; }
  const BasicBlock& block(int b) const { return blocks_[static_cast<std::size_t>(b)]; }
  int block_of(std::size_t instruction) const { return block_of_[instruction]; }
  int size() const { return static_cast<int>(blocks_.size()); }
  /// Returns the block where the two sides of the branch meet again; kNoBlock if they meet only at exit.
  int meeting_of(const isa::Instruction& branch) const {
    return branch.reconvergence == isa::kNoTarget ? kNoBlock
                                                  : block_of(static_cast<std::size_t>(branch.reconvergence));
  }

  /// Immediate dominator of each block; kNoBlock for the entry and for unreachable blocks.
  const std::vector<int>& immediate_dominators() const { return dominators_; }
  bool dominates(int a, int b) const {
    return a == b || (entered_[static_cast<std::size_t>(a)] <= entered_[static_cast<std::size_t>(b)] &&
                      left_[static_cast<std::size_t>(b)] <= left_[static_cast<std::size_t>(a)]);
  }

  const std::vector<int>& order() const { return order_; }

  /// Returns the blocks that can be reached from block `from` without entering block `barrier`, including
  /// `from`. The span is valid until the next call.
  std::span<const int> reachable_without(int from, int barrier) const;
  /// Visits the blocks of reachable_without(from, barrier). Continues from a block to its successors only if
  /// go_on(block) is true.
  template <class GoOn>
  void walk_without(int from, int barrier, GoOn go_on) const {
    found_.clear();
    seen_.resize(blocks_.size(), 0);
    ++search_;
    const auto meet = [&](int b) {
      if (b == barrier || seen_[static_cast<std::size_t>(b)] == search_) return;
      seen_[static_cast<std::size_t>(b)] = search_;
      if (go_on(b)) found_.push_back(b);
    };
    meet(from);
    for (std::size_t n = 0; n < found_.size(); ++n)
      for (const int s : block(found_[n]).successors) meet(s);
  }

 private:
  void find_blocks(const isa::Program& program);
  void link(const isa::Program& program);
  void sort();
  void find_dominators();
  void number_dominators();
  void find_loops();

  std::vector<BasicBlock> blocks_;
  std::vector<int> block_of_;
  std::vector<int> order_;
  std::vector<int> dominators_;
  mutable std::vector<std::uint32_t> seen_;
  mutable std::uint32_t search_ = 0;
  mutable std::vector<int> found_;
  std::vector<int> entered_, left_;
};

}  // namespace heddle::compiler
