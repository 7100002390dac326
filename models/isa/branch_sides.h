#pragma once

// Finds the sides of divergent branches that contain a given node (an instruction or a basic block). A side
// is the set of nodes that only the lanes with one outcome of the branch execute. Sides nest, so that lists
// of the nodes of all sides would grow with the square of the program's size.
//
// Instead, the nodes form the post-dominator tree. The parent of a node is the node in which all paths from
// this node meet again. A side contains its first node, and the ancestors of this node below the branch's
// meeting point. If one of these nodes is itself a branch, the nodes on its sides also belong to the side
// (control dependence: Ferrante, Ottenstein, Warren, TOPLAS 1987). Nodes are numbered in preorder. Sides that
// begin in the same subtree therefore have consecutive numbers.

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
    /// False: this object describes a side of a branch. True: this object describes a link from node
    /// `branch` to its parent `first` that the constructor removed, because the links of some nodes to
    /// their parents formed a cycle.
    bool cut = false;
  };

  /// Builds the tree of nodes and numbers the nodes. `meeting`: parent of each node in the tree, or kNone.
  /// `leave`: true for each node at which some lanes may exit while others continue. `sides`: all sides; only
  /// their `branch` and `first` are set.
  BranchSides(std::vector<int> meeting, std::vector<Side> sides, const std::vector<bool>& leave);

  int meeting(int node) const { return parent_[at(node)]; }
  const std::vector<Side>& sides() const { return sides_; }

  /// For each node, searches the node itself and then its ancestors in the post-dominator tree. Finds the
  /// first node that is marked, or that is a branch with a marked node on one of its sides. Returns one found
  /// node for each node; kNone if the search finds none.
  std::vector<int> next_with(const std::vector<bool>& marked) const;
  /// Returns true if a side of a branch contains a node marked in the call of next_with(). The side begins at
  /// node `first` and ends before node `meet`. `next`: element `first` of that call's result.
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
