// Tests upper bounds on the number of graph nodes from which a node can be reached. The bounds must never be
// too low, and must be exact for switches and diamonds.

#include "models/compiler/analyses/ancestor_bounds.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/dice.h"

namespace heddle::compiler {
namespace {

using Predecessors = std::vector<std::vector<int>>;

std::size_t count_ancestors(const Predecessors& predecessors, int end) {
  std::set<int> found = {end};
  std::vector<int> work = {end};
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    for (const int p : predecessors[static_cast<std::size_t>(n)])
      if (found.insert(p).second) work.push_back(p);
  }
  return found.size();
}

TEST(AncestorBounds, AreExactForASwitch) {
  Predecessors predecessors;
  std::vector<int> ends;
  for (int i = 0; i < 1000; ++i) {
    predecessors.push_back(i == 0 ? std::vector<int>{} : std::vector<int>{2 * i - 2});
    predecessors.push_back({2 * i});
    ends.push_back(2 * i + 1);
  }
  const std::vector<std::size_t> bounds = bound_ancestors(predecessors, ends);
  for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_EQ(bounds[i], i + 2);
}

TEST(AncestorBounds, AreExactForDiamonds) {
  Predecessors predecessors = {{}};
  for (int top = 0; predecessors.size() < 300; top += 3) {
    predecessors.push_back({top});
    predecessors.push_back({top});
    predecessors.push_back({top + 1, top + 2});
  }
  const int end = static_cast<int>(predecessors.size()) - 1;
  EXPECT_EQ(bound_ancestors(predecessors, {end}).front(), predecessors.size());
}

TEST(AncestorBounds, AreNeverTooLow) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    fuzz::Dice dice(seed);
    const int nodes = 2 + dice.pick(40);
    Predecessors predecessors(static_cast<std::size_t>(nodes));
    for (int n = 1; n < nodes; ++n)
      for (int edges = dice.between(1, 3); edges > 0; --edges)
        predecessors[static_cast<std::size_t>(n)].push_back(dice.pick(dice.pick(8) == 0 ? nodes : n));
    std::vector<int> ends;
    for (int n = 0; n < nodes; ++n) ends.push_back(n);
    const std::vector<std::size_t> bounds = bound_ancestors(predecessors, ends);
    for (const int end : ends)
      EXPECT_GE(bounds[static_cast<std::size_t>(end)], count_ancestors(predecessors, end)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::compiler
