// Computes an upper bound for the number of nodes from which paths lead to a given node. First finds the
// strongly connected components of the graph, and the dominator of each component. Then computes a bound
// for each component, after the bounds of its predecessors. All paths to a component pass its dominator.
// Therefore the component's bound counts nodes that lead to the dominator only once.

#include "models/compiler/analyses/ancestor_bounds.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/compiler/analyses/dominators.h"

namespace heddle::compiler {
namespace {

std::size_t index(int n) { return static_cast<std::size_t>(n); }

class Components {
 public:
  Components(const std::vector<std::vector<int>>& predecessors, const std::vector<int>& ends)
      : predecessors_(predecessors),
        number_(predecessors.size(), -1),
        low_(predecessors.size(), 0),
        component_(predecessors.size(), 0),
        sizes_(1, 0) {
    for (const int end : ends)
      if (number_[index(end)] < 0) search(end);
  }

  int count() const { return static_cast<int>(sizes_.size()); }
  int of(int node) const { return component_[index(node)]; }
  std::size_t size(int component) const { return sizes_[index(component)]; }
  std::vector<std::pair<int, int>> edges() const {
    std::vector<std::pair<int, int>> all;
    std::vector<bool> is_led_to(sizes_.size(), false);
    for (std::size_t n = 0; n < predecessors_.size(); ++n)
      for (const int p : predecessors_[n]) {
        if (component_[n] == 0 || of(p) == component_[n]) continue;
        all.emplace_back(of(p), component_[n]);
        is_led_to[index(component_[n])] = true;
      }
    for (int c = 1; c < count(); ++c)
      if (!is_led_to[index(c)]) all.emplace_back(0, c);
    return all;
  }

 private:
  void enter(int n) {
    number_[index(n)] = low_[index(n)] = numbers_++;
    path_.push_back(n);
    work_.emplace_back(n, 0);
  }
  void search(int from) {
    enter(from);
    while (!work_.empty()) {
      auto& [n, next] = work_.back();
      if (next < predecessors_[index(n)].size()) {
        const int p = predecessors_[index(n)][next++];
        if (number_[index(p)] < 0)
          enter(p);
        else if (component_[index(p)] == 0)
          low_[index(n)] = std::min(low_[index(n)], number_[index(p)]);
        continue;
      }
      const int done = n;
      work_.pop_back();
      if (!work_.empty()) {
        int& low = low_[index(work_.back().first)];
        low = std::min(low, low_[index(done)]);
      }
      if (low_[index(done)] == number_[index(done)]) leave(done);
    }
  }
  void leave(int first) {
    sizes_.push_back(0);
    for (int n = -1; n != first; path_.pop_back()) {
      n = path_.back();
      component_[index(n)] = count() - 1;
      ++sizes_.back();
    }
  }

  const std::vector<std::vector<int>>& predecessors_;
  std::vector<int> number_, low_, component_, path_;
  std::vector<std::pair<int, std::size_t>> work_;
  std::vector<std::size_t> sizes_;
  int numbers_ = 0;
};

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 4;

}  // namespace

// Computes an upper bound for the number of nodes that lead to a component. The bound is the sum of the
// dominator's bound, the component's own size, and an excess for each incoming edge. The excess is the bound of
// the edge's source minus the dominator's bound. The sum is limited to the total size of this component and of
// all earlier components.
std::vector<std::size_t> bound_ancestors(const std::vector<std::vector<int>>& predecessors,
                                         const std::vector<int>& ends) {
  const Components components(predecessors, ends);
  std::vector<std::pair<int, int>> edges = components.edges();
  const std::vector<int> dominators = immediate_dominators(components.count(), edges, 0);
  std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::size_t> sums(index(components.count()), 0), up_to(index(components.count()), 0);
  auto edge = edges.begin();
  for (int c = 1; c < components.count(); ++c) {
    const std::size_t dominator = sums[index(dominators[index(c)])];
    std::size_t sum = dominator + components.size(c);
    for (; edge != edges.end() && edge->second == c; ++edge) {
      const std::size_t source = sums[index(edge->first)];
      sum = source == kMost ? kMost : std::min(kMost, sum + (source - dominator));
    }
    sums[index(c)] = std::min(kMost, sum);
    up_to[index(c)] = up_to[index(c) - 1] + components.size(c);
  }
  std::vector<std::size_t> bounds;
  for (const int end : ends)
    bounds.push_back(std::min(sums[index(components.of(end))], up_to[index(components.of(end))]));
  return bounds;
}

}  // namespace heddle::compiler
