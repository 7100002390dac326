#pragma once

// The sides of divergent branches: which instructions or blocks (nodes) only the lanes with one outcome of a
// branch execute. A side consists of all nodes that can be reached from its first node without passing the
// point where the sides meet. The class answers which sides contain a node, without a list of nodes for each
// side: because sides nest, such lists would grow with the square of the program.
//
// Nodes form the post-dominator tree: the parent of a node is the node in which all paths from the node meet
// again. All lanes of a side pass its first node and the ancestors of this node below the meeting point.
// Every other node of the side is on a side of a branch at one of these nodes. A node is therefore on a side
// if the node is such an ancestor, or if it is on a side of a branch that is on this side (control
// dependence: Ferrante, Ottenstein, Warren, TOPLAS 1987). Nodes are numbered in preorder, so that the sides
// that begin in a subtree form an interval.

#include <cstddef>
#include <limits>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// True if no instruction can follow this one on the same path.
inline bool ends_path(const Instruction& i) {
  return !i.guard.present && (i.op == Opcode::exit || i.op == Opcode::trap);
}

class BranchSides {
 public:
  static constexpr int kNone = -1;

  struct Side {
    int branch = kNone;
    int first = kNone;  ///< first node of the side; never the meeting point
    int last = kNone;   ///< last node that all lanes of the side pass before the sides meet
    int below = 0;      ///< an ancestor of `first` belongs to the side if its depth is greater than this
    /// True for the link of a node to its parent that was removed to break a cycle; `branch` is then no
    /// branch.
    bool cut = false;
  };

  /// `meeting`: by node, its parent: the only successor, or the reconvergence point of its branch; kNone if
  /// its paths end apart. `sides`: only `branch` and `first` need to be set. `leave`: by node, true if some
  /// lanes may exit there while the others continue at the only successor.
  BranchSides(std::vector<int> meeting, std::vector<Side> sides, const std::vector<bool>& leave);

  int meeting(int node) const { return parent_[at(node)]; }
  const std::vector<Side>& sides() const { return sides_; }

  /// For each node, returns the first node on the path to the root, starting with the node itself, that is
  /// marked or has a marked node on one of its sides. kNone if there is none.
  std::vector<int> next_with(const std::vector<bool>& marked) const;
  /// True if `next`, the entry of next_with() for `first`, belongs to the side that begins at `first`. `meet`
  /// is the node where the sides meet.
  bool holds(int first, int meet, int next) const {
    return next != kNone && depth_[at(next)] > below(first, meet);
  }

  /// Finds the sides that contain given nodes. Each side is reported once over all calls.
  class Search {
   public:
    explicit Search(const BranchSides& sides) : sides_(&sides), least_(sides.least_) {}
    /// Calls found(side) for every branch that has the node on at least one of its sides.
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
  std::vector<Side> sides_;        ///< sorted by the number of their first nodes
  std::vector<int> depth_;         ///< by node: distance from the root; 1 for nodes without a parent
  std::vector<int> top_down_;      ///< all nodes, each after its parent
  std::vector<int> number_;        ///< by node: preorder number; a subtree is an interval
  std::vector<int> subtree_size_;  ///< by node: nodes in its subtree, itself included
  /// By number of the first node: index of its first side; one more entry for the end.
  std::vector<int> first_side_;
  std::size_t tree_leaves_ = 1;
  /// Minimum tree over the sides: the smallest Side::below, kTaken for sides already found.
  std::vector<int> least_;
};

}  // namespace heddle::isa
