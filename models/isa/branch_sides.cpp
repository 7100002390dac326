#include "models/isa/branch_sides.h"

#include <algorithm>
#include <utility>

namespace heddle::isa {

BranchSides::BranchSides(std::vector<int> meeting, std::vector<Side> sides, const std::vector<bool>& leave)
    : parent_(std::move(meeting)), sides_(std::move(sides)) {
  find_depths(leave);
  number();
  complete_sides();
}

void BranchSides::find_depths(const std::vector<bool>& leave) {
  constexpr int kUnknown = 0, kBegun = -1;
  depth_.assign(parent_.size(), kUnknown);
  std::vector<int> chain;
  for (int begin = 0; begin < static_cast<int>(parent_.size()); ++begin) {
    int n = begin;
    for (; n != kNone && depth_[at(n)] == kUnknown; n = parent_[at(n)]) {
      depth_[at(n)] = kBegun;
      chain.push_back(n);
    }
    if (n != kNone && depth_[at(n)] == kBegun) {
      cut(n, leave);
      for (; !chain.empty(); chain.pop_back()) depth_[at(chain.back())] = kUnknown;
      --begin;
      continue;
    }
    int depth = n == kNone ? 0 : depth_[at(n)];
    for (; !chain.empty(); chain.pop_back()) depth_[at(chain.back())] = ++depth;
  }
}

void BranchSides::cut(int begin, const std::vector<bool>& leave) {
  std::vector<int> at_nodes;
  int n = begin, last = begin;
  do {
    if (leave[at(n)]) at_nodes.push_back(n);
    last = n;
    n = parent_[at(n)];
  } while (n != begin);
  if (at_nodes.empty()) at_nodes.push_back(last);
  for (const int node : at_nodes) {
    sides_.push_back({.branch = node, .first = parent_[at(node)], .cut = true});
    parent_[at(node)] = kNone;
  }
}

void BranchSides::number() {
  const std::size_t nodes = parent_.size();
  std::vector<std::size_t> end(nodes + 1, 0);
  for (const int d : depth_) ++end[at(d)];
  for (std::size_t d = 1; d <= nodes; ++d) end[d] += end[d - 1];
  top_down_.resize(nodes);
  for (std::size_t n = nodes; n-- > 0;) top_down_[--end[at(depth_[n])]] = static_cast<int>(n);
  subtree_size_.assign(nodes, 1);
  for (std::size_t n = nodes; n-- > 0;)
    if (const int up = parent_[at(top_down_[n])]; up != kNone)
      subtree_size_[at(up)] += subtree_size_[at(top_down_[n])];
  number_.resize(nodes);
  std::vector<int> next(nodes);
  int outside = 0;
  for (const int n : top_down_) {
    int& free = parent_[at(n)] == kNone ? outside : next[at(parent_[at(n)])];
    number_[at(n)] = free;
    next[at(n)] = free + 1;
    free += subtree_size_[at(n)];
  }
}

void BranchSides::complete_sides() {
  std::stable_sort(sides_.begin(), sides_.end(), [this](const Side& a, const Side& b) {
    return number_[at(a.first)] < number_[at(b.first)];
  });
  std::vector<int> numbered(parent_.size()), way(parent_.size() + 1, kNone);
  for (std::size_t n = 0; n < parent_.size(); ++n) numbered[at(number_[n])] = static_cast<int>(n);
  std::size_t side = 0;
  for (const int n : numbered) {
    way[at(depth_[at(n)])] = n;
    first_side_.push_back(static_cast<int>(side));
    for (; side < sides_.size() && sides_[side].first == n; ++side) {
      sides_[side].below = below(n, parent_[at(sides_[side].branch)]);
      sides_[side].last = way[at(sides_[side].below) + 1];
    }
  }
  first_side_.push_back(static_cast<int>(side));
  while (tree_leaves_ < sides_.size()) tree_leaves_ *= 2;
  least_.assign(2 * tree_leaves_, kTaken);
  for (std::size_t s = 0; s < sides_.size(); ++s) least_[tree_leaves_ + s] = sides_[s].below;
  for (std::size_t n = tree_leaves_; n-- > 1;) least_[n] = std::min(least_[2 * n], least_[2 * n + 1]);
}

int BranchSides::below(int first, int meet) const {
  if (meet == kNone || number_[at(first)] < number_[at(meet)]) return 0;
  return number_[at(first)] < number_[at(meet)] + subtree_size_[at(meet)] ? depth_[at(meet)] : 0;
}

// Finds a side that contains `node`. A side is the code that only the lanes with one outcome of a branch
// execute. `least`: binary tree with the minima of Side::below; sides that remove() has taken out of it are
// skipped. Returns the index of the side, or kNone.
int BranchSides::find(const std::vector<int>& least, int node) const {
  const int number = number_[at(node)], depth = depth_[at(node)];
  std::size_t low = tree_leaves_ + at(first_side_[at(number)]);
  std::size_t high = tree_leaves_ + at(first_side_[at(number + subtree_size_[at(node)])]);
  std::size_t n = 0;
  for (; low < high && n == 0; low /= 2, high /= 2) {
    if (low % 2 == 1 && least[low++] < depth) n = low - 1;
    if (n == 0 && high % 2 == 1 && least[--high] < depth) n = high;
  }
  if (n == 0) return kNone;
  while (n < tree_leaves_) n = least[2 * n] < depth ? 2 * n : 2 * n + 1;
  return static_cast<int>(n - tree_leaves_);
}

void BranchSides::remove(std::vector<int>& least, int side) const {
  std::size_t n = tree_leaves_ + at(side);
  least[n] = kTaken;
  while (n /= 2) least[n] = std::min(least[2 * n], least[2 * n + 1]);
}

std::vector<int> BranchSides::next_with(const std::vector<bool>& marked) const {
  std::vector<bool> with = marked;
  Search search(*this);
  for (std::size_t n = 0; n < marked.size(); ++n)
    if (marked[n])
      search.around(static_cast<int>(n), [&](const Side& side) { with[at(side.branch)] = true; });
  std::vector<int> next(parent_.size(), kNone);
  for (const int n : top_down_)
    next[at(n)] = with[at(n)] ? n : parent_[at(n)] == kNone ? kNone : next[at(parent_[at(n)])];
  return next;
}

}  // namespace heddle::isa
