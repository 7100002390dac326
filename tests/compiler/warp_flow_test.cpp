// Two analyses compute a warp's order of execution, and the instructions on each side of a branch. The tests
// compare the results with the definitions of these analyses, on random control-flow graphs. The graphs have
// endless loops and early exits.

#include "models/compiler/analyses/warp_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "models/compiler/analyses/reconvergence.h"
#include "models/compiler/analyses/split_regions.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/compiler_random_program.h"

namespace heddle::compiler::warp_flow_test {
namespace {

std::size_t at(int n) { return static_cast<std::size_t>(n); }

struct Analysed {
  Analysed(isa::Program parsed, ExitRule rule)
      : program(with_meetings(std::move(parsed), rule)),
        flow(program),
        divergence(program, flow),
        warp(program, flow, divergence) {}

  static isa::Program with_meetings(isa::Program program, ExitRule rule) {
    set_reconvergence(program, ControlFlow(program), rule);
    return program;
  }
  std::vector<int> region(int side, int meet) const {
    if (side == kNoBlock) return {};
    const auto blocks = flow.reachable_without(side, meet);
    return {blocks.begin(), blocks.end()};
  }
  bool leads_to(int block, int to) const {
    const auto& successors = flow.block(block).successors;
    return std::find(successors.begin(), successors.end(), to) != successors.end();
  }

  isa::Program program;
  ControlFlow flow;
  Divergence divergence;
  WarpFlow warp;
};

template <class F>
void on_tangles(std::uint64_t seed, int count, F f) {
  fuzz::Dice dice(seed);
  for (int n = 0; n < count; ++n) {
    const std::string body = test::tangle(dice, 3 + dice.pick(30));
    SCOPED_TRACE(body);
    for (const ExitRule rule : {ExitRule::end_of_all, ExitRule::leave}) {
      f(Analysed(test::bare_kernel(body), rule), dice);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

std::vector<std::set<int>> predecessors_by_definition(const Analysed& a) {
  std::vector<std::set<int>> before(at(a.flow.size()));
  for (const int b : a.flow.order())
    for (const int s : a.flow.block(b).successors) before[at(s)].insert(b);
  for (const Split& s : a.warp.splits()) {
    const int next = s.second != kNoBlock ? s.second : s.meet;
    for (const int e : a.region(s.first, s.meet))
      if (next != kNoBlock && (a.flow.block(e).exits || a.leads_to(e, s.meet))) before[at(next)].insert(e);
    for (const int e : a.region(s.second, s.meet))
      if (s.meet != kNoBlock && a.flow.block(e).exits) before[at(s.meet)].insert(e);
  }
  return before;
}

TEST(WarpFlow, JunctionsStandForTheEndsOfSides) {
  on_tangles(11, 300, [](const Analysed& a, fuzz::Dice&) {
    const std::vector<std::set<int>> defined = predecessors_by_definition(a);
    for (int b = 0; b < a.flow.size(); ++b) {
      std::set<int> found, seen;
      a.warp.for_each_before(
          b, [&](int junction) { return seen.insert(junction).second; }, [&](int p) { found.insert(p); });
      ASSERT_EQ(found, defined[at(b)]) << "block " << b;
    }
    for (const int b : a.flow.order())
      for (const int s : a.flow.block(b).successors) {
        bool only = true;
        for (int other = 0; other < a.flow.size(); ++other)
          only = only && (other == s || !defined[at(other)].count(b));
        ASSERT_EQ(a.warp.leads_only_to(b, s), only) << "blocks " << b << ", " << s;
      }
  });
}

TEST(WarpFlow, WhatSidesHoldShowsBehindThem) {
  on_tangles(12, 300, [](const Analysed& a, fuzz::Dice& dice) {
    std::vector<bool> marked, defined(at(a.flow.size()));
    for (int b = 0; b < a.flow.size(); ++b) marked.push_back(dice.chance(12));
    for (const Split& s : a.warp.splits()) {
      const auto has = [&](int side) {
        const std::vector<int> region = a.region(side, s.meet);
        return std::any_of(region.begin(), region.end(), [&](int b) { return marked[at(b)]; });
      };
      if (s.second != kNoBlock && has(s.first)) defined[at(s.second)] = true;
      if (s.meet != kNoBlock && (has(s.first) || has(s.second))) defined[at(s.meet)] = true;
    }
    ASSERT_EQ(a.warp.behind(marked), defined);
  });
}

TEST(BranchSides, FindsTheBranchesAroundANode) {
  on_tangles(13, 150, [](const Analysed& a, fuzz::Dice&) {
    const auto& code = a.program.code;
    const auto next_of = [&](int n) {
      const isa::Instruction& i = code[at(n)];
      std::vector<int> next;
      if (!isa::ends_path(i) && (!i.is_branch() || i.guard.present)) next.push_back(n + 1);
      if (i.is_branch()) next.push_back(i.target);
      return next;
    };
    std::vector<int> meeting;
    std::vector<isa::BranchSides::Side> sides;
    std::vector<bool> leave;
    std::vector<std::set<int>> around(code.size());
    for (int n = 0; n < static_cast<int>(code.size()); ++n) {
      const std::vector<int> next = next_of(n);
      const bool splits = code[at(n)].is_branch() && code[at(n)].guard.present;
      meeting.push_back(splits ? code[at(n)].reconvergence : next.empty() ? kNoBlock : next[0]);
      leave.push_back(code[at(n)].op == isa::Opcode::exit && code[at(n)].guard.present);
      if (!splits) continue;
      std::vector<int> open = next;
      std::set<int> seen{meeting.back()};
      while (!open.empty()) {
        const int o = open.back();
        open.pop_back();
        if (!seen.insert(o).second) continue;
        around[at(o)].insert(n);
        for (const int s : next_of(o)) open.push_back(s);
      }
      for (const int side : next)
        if (side != meeting.back()) sides.push_back({n, side});
    }
    const isa::BranchSides all(meeting, sides, leave);
    for (int n = 0; n < static_cast<int>(code.size()); ++n) {
      std::set<int> found;
      isa::BranchSides::Search(all).around(n, [&](const isa::BranchSides::Side& side) {
        if (!side.cut) found.insert(side.branch);
      });
      ASSERT_EQ(found, around[at(n)]) << "instruction " << n;
    }
  });
}

}  // namespace
}  // namespace heddle::compiler::warp_flow_test
