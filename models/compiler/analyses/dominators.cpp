#include "models/compiler/analyses/dominators.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>

namespace heddle::compiler {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

std::vector<std::vector<int>> successors_of(int nodes, const std::vector<std::pair<int, int>>& edges) {
  std::vector<std::vector<int>> successors(static_cast<std::size_t>(nodes));
  for (const auto& [from, to] : edges) successors[static_cast<std::size_t>(from)].push_back(to);
  return successors;
}

std::vector<int> number_reached(const std::vector<std::vector<int>>& successors, int root) {
  std::vector<int> number(successors.size(), -1);
  std::vector<int> work{root};
  number[static_cast<std::size_t>(root)] = 0;
  int count = 1;
  while (!work.empty()) {
    const int node = work.back();
    work.pop_back();
    for (const int s : successors[static_cast<std::size_t>(node)]) {
      if (number[static_cast<std::size_t>(s)] >= 0) continue;
      number[static_cast<std::size_t>(s)] = count++;
      work.push_back(s);
    }
  }
  return number;
}

}  // namespace

std::vector<int> immediate_dominators(int nodes, const std::vector<std::pair<int, int>>& edges, int root) {
  const std::vector<int> number = number_reached(successors_of(nodes, edges), root);
  std::vector<int> node_of;
  for (const int n : number) {
    if (n >= static_cast<int>(node_of.size())) node_of.resize(static_cast<std::size_t>(n) + 1);
  }
  for (int node = 0; node < nodes; ++node) {
    const int n = number[static_cast<std::size_t>(node)];
    if (n >= 0) node_of[static_cast<std::size_t>(n)] = node;
  }

  Graph graph(node_of.size());
  for (const auto& [from, to] : edges) {
    const int a = number[static_cast<std::size_t>(from)], b = number[static_cast<std::size_t>(to)];
    if (a >= 0 && b >= 0) boost::add_edge(static_cast<std::size_t>(a), static_cast<std::size_t>(b), graph);
  }
  std::vector<Graph::vertex_descriptor> parent(node_of.size(), Graph::null_vertex());
  const auto parent_map =
      boost::make_iterator_property_map(parent.begin(), boost::get(boost::vertex_index, graph));
  boost::lengauer_tarjan_dominator_tree(graph, 0, parent_map);

  std::vector<int> result(static_cast<std::size_t>(nodes), -1);
  for (std::size_t n = 1; n < node_of.size(); ++n)
    if (parent[n] != Graph::null_vertex()) result[static_cast<std::size_t>(node_of[n])] = node_of[parent[n]];
  return result;
}

}  // namespace heddle::compiler
