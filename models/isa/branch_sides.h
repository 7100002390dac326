#pragma once

// What stands on the sides of branches. A side's nodes, blocks or instructions, are those that can be reached from its
// first one without the point where the sides meet. Sides stand within sides, so a list of nodes a side would grow
// with the square of the program.
//
// Nodes form a tree: above a node stands the one in which all ways from it meet again. All lanes of a side pass its
// first node, the one above, the one above that, and so on up to the meeting point of the branch; whatever else is on
// the side is on a side of one of these. So a node is on the sides of the branches that have it, or a branch with it
// on a side, on such a way up (control dependence: Ferrante, Ottenstein, Warren, TOPLAS 1987). With nodes numbered
// down the tree, those branches are found among the sides that begin within an interval.

#include <cstddef>
#include <limits>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Nothing can follow it on the same path.
inline bool ends_path(const Instruction& i) {
  return !i.guard.present && (i.op == Opcode::exit || i.op == Opcode::trap);
}

class BranchSides {
 public:
  static constexpr int kNone = -1;

  struct Side {
    int branch = kNone;
    int first = kNone;  ///< not where the sides meet
    int last =
        kNone;      ///< of those that all its lanes pass before the sides meet, or that nothing stands above
    int below = 0;  ///< a node on the way up from `first` belongs to the side if it lies deeper than this
    bool cut = false;  ///< no branch: where a way up that led round a loop is cut
  };

  /// `meeting`: by node, the one in which all ways from it meet again: its only successor, the reconvergence point of
  /// its branch, kNone if they end apart. Of `sides`, branch and first count.
  /// `leave`: by node, some lanes may exit while the others go on to its only successor.
  BranchSides(std::vector<int> meeting, std::vector<Side> sides, const std::vector<bool>& leave);

  int meeting(int node) const { return above_[at(node)]; }
  const std::vector<Side>& sides() const { return sides_; }

  /// By node, the first on the way up from it (itself included) that is marked or has a marked one on a side; kNone.
  std::vector<int> next_with(const std::vector<bool>& marked) const;
  /// Of a side that begins at `first`: an entry of next_with() belongs to it.
  bool holds(int first, int meet, int next) const {
    return next != kNone && depth_[at(next)] > below(first, meet);
  }

  /// Finds sides by the nodes on them, each once.
  class Search {
   public:
    explicit Search(const BranchSides& sides) : sides_(&sides), least_(sides.least_) {}
    /// found(side) for every branch that has the node on a side: for one side at least.
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

  std::vector<int> above_;
  std::vector<Side> sides_;      ///< as their first nodes are numbered
  std::vector<int> depth_;       ///< by node, 1 for those that nothing stands above
  std::vector<int> down_;        ///< nodes, each after the one above it
  std::vector<int> number_;      ///< by node: together with all below it, an interval
  std::vector<int> inside_;      ///< by node: how many that is
  std::vector<int> first_side_;  ///< by number of the first node, and an end
  std::size_t leaves_ = 1;
  std::vector<int> least_;  ///< binary tree over the sides: the least Side::below, kTaken for those found
};

}  // namespace heddle::isa
