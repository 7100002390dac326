#include "models/compiler/graph_coloring.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <queue>
#include <utility>

namespace heddle::compiler {
namespace {

class Colorer {
  static constexpr std::size_t kMostWords = 8;

 public:
  Colorer(const Variables& variables, const InterferenceGraph& graph, int colors,
          const std::vector<bool>& pinned)
      : variables_(variables), graph_(graph), colors_(colors), pinned_(pinned) {
    const auto n = static_cast<std::size_t>(variables.count());
    degree_.assign(n, 0);
    removed_.assign(n, false);
    result_.color.assign(n, -1);
    weight_.assign(at(colors) + kMostWords, 0);
    for (std::size_t v = 0; v < n; ++v)
      for (const int u : graph.neighbours[v]) degree_[v] += share(static_cast<int>(v), u);
  }

  Coloring run() {
    simplify();
    while (!order_.empty()) {
      const int v = order_.back();
      order_.pop_back();
      select(v);
    }
    std::sort(result_.spilled.begin(), result_.spilled.end());
    result_.spilled.erase(std::unique(result_.spilled.begin(), result_.spilled.end()), result_.spilled.end());
    return std::move(result_);
  }

 private:
  static std::size_t at(int v) { return static_cast<std::size_t>(v); }
  int size(int v) const { return variables_.size[at(v)]; }
  std::vector<int>& easy_list(int v) { return easy_[at(std::countr_zero(static_cast<unsigned>(size(v))))]; }

  // Number of aligned register groups of the size of v that the neighbour u can block.
  int share(int v, int u) const { return std::max(1, size(u) / size(v)); }
  int places(int v) const { return colors_ / size(v); }
  bool is_easy(int v) const { return degree_[at(v)] < places(v); }

  // Removes variables from the graph: single registers with few neighbours first, then pairs, then larger
  // groups. Colours are assigned in reverse order, so larger variables get their colours first.
  void simplify() {
    for (int v = 0; v < variables_.count(); ++v)
      if (is_easy(v)) easy_list(v).push_back(v);
    remove_easy();
    using Entry = std::pair<double, int>;
    std::vector<Entry> left;
    for (int v = 0; v < variables_.count(); ++v)
      if (!removed_[at(v)]) left.emplace_back(worth(v), v);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap(std::greater<>(), std::move(left));
    while (!heap.empty()) {
      const auto [was, v] = heap.top();
      heap.pop();
      if (removed_[at(v)]) continue;
      if (const double is = worth(v); is != was) {
        heap.emplace(is, v);
        continue;
      }
      remove(v);
      remove_easy();
    }
  }

  void remove_easy() {
    for (;;) {
      const auto list =
          std::find_if(easy_.begin(), easy_.end(), [](const auto& easy) { return !easy.empty(); });
      if (list == easy_.end()) return;
      const int v = list->back();
      list->pop_back();
      if (!removed_[at(v)]) remove(v);
    }
  }

  void remove(int v) {
    removed_[at(v)] = true;
    order_.push_back(v);
    for (const int u : graph_.neighbours[at(v)]) {
      if (removed_[at(u)]) continue;
      const bool was_easy = is_easy(u);
      degree_[at(u)] -= share(u, v);
      if (!was_easy && is_easy(u)) easy_list(u).push_back(u);
    }
  }

  // Returns the spill cost of a variable, divided by one plus the number of its neighbours in the remaining
  // graph. The variable with the smallest quotient gets its colour last, and may be spilled.
  double worth(int v) const {
    if (pinned_[at(v)]) return std::numeric_limits<double>::max();
    const double cost = graph_.cost[at(v)] * (graph_.brief[at(v)] ? 1e6 : 1.0);
    return cost / (degree_[at(v)] + 1);
  }

  void select(int v) {
    std::vector<bool> blocked(at(colors_) + kMostWords, false);
    for (const int u : graph_.neighbours[at(v)]) {
      const int c = result_.color[at(u)];
      if (c < 0) continue;
      for (int word = 0; word < size(u); ++word) blocked[at(c + word)] = true;
    }
    const int c = choose(v, blocked);
    result_.color[at(v)] = c;
    if (c < 0) give_up(v);
  }

  bool is_free(int v, int c, const std::vector<bool>& blocked) const {
    const int words = size(v);
    if (c % words != 0 || c + words > colors_) return false;
    for (int word = 0; word < words; ++word)
      if (blocked[at(c + word)]) return false;
    return true;
  }

  // Returns the register for variable v, or -1. If a move copies a variable u to v, or v to u, prefers the
  // register of u, because this move then becomes unnecessary. For a single register, also prefers a register
  // of a partly used pair. `blocked`: registers of neighbours.
  int choose(int v, const std::vector<bool>& blocked) {
    int best = -1;
    double best_weight = 0;
    for (const Copy& copy : graph_.copies[at(v)])
      if (const int c = result_.color[at(copy.variable)]; c >= 0) weight_[at(c)] += copy.weight;
    for (const Copy& copy : graph_.copies[at(v)]) {
      const int c = result_.color[at(copy.variable)];
      if (c < 0 || !is_free(v, c, blocked)) continue;
      if (weight_[at(c)] > best_weight) {
        best = c;
        best_weight = weight_[at(c)];
      }
    }
    for (const Copy& copy : graph_.copies[at(v)])
      if (const int c = result_.color[at(copy.variable)]; c >= 0) weight_[at(c)] = 0;
    if (best >= 0) return best;
    for (int c = 0; c < colors_; ++c) {
      if (!is_free(v, c, blocked)) continue;
      if (size(v) > 1 || blocked[at(c ^ 1)]) return c;
      if (best < 0) best = c;
    }
    return best;
  }

  // Spills v, for which no register is free. If v is pinned (spilling it gains nothing), spills the coloured
  // neighbour with the least cost.
  void give_up(int v) {
    if (!pinned_[at(v)]) {
      result_.spilled.push_back(v);
      return;
    }
    int victim = -1;
    for (const int u : graph_.neighbours[at(v)]) {
      if (pinned_[at(u)] || result_.color[at(u)] < 0) continue;
      if (victim < 0 || graph_.cost[at(u)] < graph_.cost[at(victim)]) victim = u;
    }
    if (victim < 0) {
      result_.stuck = true;
    } else {
      result_.spilled.push_back(victim);
    }
  }

  const Variables& variables_;
  const InterferenceGraph& graph_;
  int colors_;
  const std::vector<bool>& pinned_;
  std::vector<int> degree_;
  std::vector<bool> removed_;
  // Variables that are still in the graph and have few neighbours: one list for each size (1, 2, 4 and 8
  // registers).
  std::array<std::vector<int>, 4> easy_;
  std::vector<int> order_;
  std::vector<double> weight_;
  Coloring result_;
};

}  // namespace

Coloring color_graph(const Variables& variables, const InterferenceGraph& graph, int colors,
                     const std::vector<bool>& pinned) {
  return Colorer(variables, graph, colors, pinned).run();
}

}  // namespace heddle::compiler
