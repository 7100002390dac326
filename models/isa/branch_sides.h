#pragma once

// Finds the sides of divergent branches that contain a given node (an instruction or a basic block). A side
// is the set of nodes that only the lanes with one outcome of the branch execute. Sides nest, so a list of
// nodes for each side would grow with the square of the program's size.
//
// Instead, nodes form the post-dominator tree: the parent of a node is the node in which all paths from it
// meet again. A side consists of its first node and of the ancestors of this first node below the meeting
// point. If one of these nodes is itself a branch, the nodes on its sides also belong to the side (control
// dependence: Ferrante, Ottenstein, Warren, TOPLAS 1987). Nodes are numbered in preorder, so that the sides
// that begin in a subtree form an interval.

#include <cstddef>
#include <limits>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Returns true for an unguarded exit or trap, which no instruction can follow on the same path.
inline bool ends_path(const Instruction& i) {
  return !i.guard.present && (i.op == Opcode::exit || i.op == Opcode::trap);
}

class BranchSides {
 public:
  static constexpr int kNone = -1;

  struct Side {
    int branch = kNone;
    int first = kNone;
    int last = kNone;
    int below = 0;
    /// True: this object is not a side of a branch, but a link from a node to its parent that was removed
    /// because it would close a cycle.
    bool cut = false;
  };

  /// `meeting`: parent of each node in the tree, or kNone. `leave`: true for each node at which some lanes
  /// may exit while others continue. `sides`: all sides, with only `branch` and `first` set.
  BranchSides(std::vector<int> meeting, std::vector<Side> sides, const std::vector<bool>& leave);

  int meeting(int node) const { return parent_[at(node)]; }
  const std::vector<Side>& sides() const { return sides_; }

  /// Returns, for each node, its nearest ancestor that is marked, or whose branch has a marked node on a
  /// side; kNone if there is none.
  std::vector<int> next_with(const std::vector<bool>& marked) const;
  /// Returns true if a marked node executes only with one outcome of a branch, whose code extends from
  /// `first` to `meet`. `next`: entry of next_with() for `first`.
  bool holds(int first, int meet, int next) const {
    return next != kNone && depth_[at(next)] > below(first, meet);
  }

  class Search {
   public:
    explicit Search(const BranchSides& sides) : sides_(&sides), least_(sides.least_) {}
    template <class Found>
    void around(int node, Found found) {
      for (work_.assign(1, node); !work_.empty();) {
        const int n = work_.back();
        const int side = sides_->find(least_, n);
        if (side == kNone) {
          work_.pop_back();
          continue;
        }
        sides_->remove(least_, side);
        found(sides_->sides_[at(side)]);
        work_.push_back(sides_->sides_[at(side)].branch);
      }
    }

   private:
    const BranchSides* sides_;
    std::vector<int> least_;
    std::vector<int> work_;
  };

 private:
  static constexpr int kTaken = std::numeric_limits<int>::max();
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  void find_depths(const std::vector<bool>& leave);
  void cut(int begin, const std::vector<bool>& leave);
  void number();
  void complete_sides();
  int below(int first, int meet) const;
  int find(const std::vector<int>& least, int node) const;
  void remove(std::vector<int>& least, int side) const;

  std::vector<int> parent_;
  std::vector<Side> sides_;
  std::vector<int> depth_;
  std::vector<int> top_down_;
  std::vector<int> number_;
  std::vector<int> subtree_size_;
  std::vector<int> first_side_;
  std::size_t tree_leaves_ = 1;
  std::vector<int> least_;
};

}  // namespace heddle::isa
