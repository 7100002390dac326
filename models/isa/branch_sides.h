#pragma once

// Finds the sides of divergent branches that contain a given node (an instruction or a basic block). A side
// of a branch consists of the nodes that only the lanes with one outcome of the branch execute: all nodes
// that can be reached from the side's first node without passing the point where both sides meet. The class
// stores no list of nodes for each side. Sides nest, so such lists would grow with the square of the
// program's size.
//
// Nodes form the post-dominator tree: the parent of a node is the node in which all paths from the node meet
// again. All lanes of a side pass its first node and the ancestors of this node below the meeting point.
// Every other node of the side is on a side of a branch at one of these nodes. A node is therefore on a side
// if the node is such an ancestor, or if it is on a side of a branch that is itself on this side (control
// dependence: Ferrante, Ottenstein, Warren, TOPLAS 1987). Nodes are numbered in preorder, so that the sides
// that begin in a subtree form an interval.

#include <cstddef>
#include <limits>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Returns true if no instruction can follow this one on the same path, because it is an unguarded exit or
/// trap.
inline bool ends_path(const Instruction& i) {
  return !i.guard.present && (i.op == Opcode::exit || i.op == Opcode::trap);
}

class BranchSides {
 public:
  static constexpr int kNone = -1;

  struct Side {
    int branch = kNone;
    int first = kNone;  ///< first node of the side; never the node where the sides meet
    int last = kNone;   ///< last node before the meeting point that all lanes of the side pass
    /// An ancestor of `first` belongs to the side if its depth in the tree is greater than this.
    int below = 0;
    /// True if this entry is not a side of a branch but a link from a node to its parent, which was removed
    /// to break a cycle of parents.
    bool cut = false;
  };

  /// Builds the tree of nodes. `meeting`: by node, its parent, which is its only successor or the
  /// reconvergence point of its branch; kNone if the paths from the node do not meet. `sides`: the sides of
  /// all branches, with only `branch` and `first` set. `leave`: by node, true if some lanes may exit there
  /// while the others continue at the only successor.
  BranchSides(std::vector<int> meeting, std::vector<Side> sides, const std::vector<bool>& leave);

  int meeting(int node) const { return parent_[at(node)]; }
  const std::vector<Side>& sides() const { return sides_; }

  /// Returns, for each node, the next node towards the root (starting with the node itself) that is marked or
  /// has a marked node on one side of its branch. kNone if there is none.
  std::vector<int> next_with(const std::vector<bool>& marked) const;
  /// Returns true if `next` belongs to the side of a branch that begins at node `first`. `next` must be the
  /// entry of next_with() for `first`. `meet` is the node where the sides of the branch meet.
  bool holds(int first, int meet, int next) const {
    return next != kNone && depth_[at(next)] > below(first, meet);
  }

  /// Finds the sides of branches that contain given nodes. Each side is reported only once over all calls.
  class Search {
   public:
    explicit Search(const BranchSides& sides) : sides_(&sides), least_(sides.least_) {}
    /// Calls found(side) for every branch that has the node on at least one of its sides, if the side was not
    /// reported before.
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
  std::vector<Side> sides_;    ///< all sides, sorted by the preorder number of their first nodes
  std::vector<int> depth_;     ///< for each node: depth in the tree; 1 for nodes without a parent
  std::vector<int> top_down_;  ///< all nodes, in an order in which each comes after its parent
  /// For each node: preorder number in the tree; the numbers of a subtree form an interval.
  std::vector<int> number_;
  std::vector<int> subtree_size_;  ///< for each node: number of nodes in its subtree, itself included
  /// For each preorder number of a node: index of the first side that begins there. One more entry marks the
  /// end.
  std::vector<int> first_side_;
  std::size_t tree_leaves_ = 1;
  /// Binary minimum tree over the sides, to find a side in a range. A leaf is Side::below, or kTaken for a
  /// side that a search has already found.
  std::vector<int> least_;
};

}  // namespace heddle::isa
