#pragma once

// Computes the lanes in which the threads of an instruction execute with warp folding and lane shifting
// (Abdel-Majeed 2016, 4.3.1, 4.3.2 and Fig. 4.8). A thread moves only within its quad: the 4 lanes that share
// operands (the paper's cluster of SIMT lanes). In masks of a quad, bit i stands for its lane i.
//
// - Fold by position: Pass 0 runs the threads of lanes 0 and 1 in their own lanes. Pass 1 runs the threads of
//   lanes 2 and 3 in lanes 0 and 1.
// - Fold by rank: Pass 0 runs the first two threads of a quad, pass 1 the others. Each pass uses the lowest
//   lanes of the quad.
// - Pack: The threads of a pass run in the lowest lanes of their quad, in order.
//
// If one of the two passes has no threads, the instruction takes only one pass (Abdel-Majeed 2016, 4.3.3).

#include <array>
#include <cstring>

#include "models/isa/lane_plan.h"

namespace heddle {

inline constexpr int kQuad = 4;
/// Masks of lanes 0 and 1, and of lanes 2 and 3, in every quad (4 lanes).
inline constexpr LaneMask kLowerOfQuads = 0x33333333u, kUpperOfQuads = 0xccccccccu;

struct FoldRules {
  bool fold = false;
  bool pack = false;
  /// True: fold by rank (pass 0 runs the first two threads of a quad). False: fold by position (pass 0 runs
  /// the threads of lanes 0 and 1).
  bool by_rank = false;
};

namespace fold_detail {

struct QuadStep {
  /// For each lane of the quad, one byte: the lane whose thread this lane executes. For a lane without a
  /// thread: the lane's own number.
  std::uint32_t from = 0x03020100u;
  std::uint8_t lanes = 0, moved = 0;
};
using QuadSteps = std::array<QuadStep, 2>;

constexpr void put(QuadStep& step, unsigned lane, unsigned thread) {
  step.lanes = static_cast<std::uint8_t>(step.lanes | 1u << lane);
  step.from = (step.from & ~(0xffu << (8 * lane))) | thread << (8 * lane);
  if (lane != thread) ++step.moved;
}

constexpr QuadSteps quad_steps(unsigned mask, const FoldRules& rules) {
  QuadSteps steps;
  unsigned rank = 0, taken[2] = {0, 0};
  for (unsigned thread = 0; thread < 4; ++thread) {
    if (!(mask >> thread & 1)) continue;
    const unsigned pass = !rules.fold ? 0 : (rules.by_rank ? rank : thread) / 2;
    const bool packs = rules.pack || (rules.fold && rules.by_rank);
    const unsigned own = rules.fold ? thread % 2 : thread;
    put(steps[pass], packs ? taken[pass] : own, thread);
    ++taken[pass];
    ++rank;
  }
  return steps;
}

constexpr FoldRules rules_of(unsigned number) {
  return {(number & 1) != 0, (number & 2) != 0, (number & 4) != 0};
}
constexpr unsigned number_of(const FoldRules& r) {
  return (r.fold ? 1u : 0) | (r.pack ? 2u : 0) | (r.by_rank ? 4u : 0);
}

inline constexpr auto kQuadSteps = [] {
  std::array<std::array<QuadSteps, 16>, 8> all{};
  for (unsigned r = 0; r < 8; ++r)
    for (unsigned mask = 0; mask < 16; ++mask) all[r][mask] = quad_steps(mask, rules_of(r));
  return all;
}();

inline void fill(LanePlan& plan, LaneMask threads, const FoldRules& rules) {
  const auto& steps = kQuadSteps[number_of(rules)];
  for (LanePass& pass : plan.pass) {
    pass.lanes = 0;
    pass.moved = 0;
  }
  for (unsigned quad = 0; quad < kLanes / kQuad; ++quad) {
    const QuadSteps& step = steps[threads >> (kQuad * quad) & 15];
    for (std::size_t p = 0; p < 2; ++p) {
      LanePass& pass = plan.pass[p];
      pass.lanes |= static_cast<LaneMask>(step[p].lanes) << (kQuad * quad);
      const std::uint32_t from = step[p].from + 0x04040404u * quad;
      for (unsigned lane = 0; lane < kQuad; ++lane)
        pass.from[kQuad * quad + lane] = static_cast<std::uint8_t>(from >> (8 * lane));
      pass.moved = static_cast<std::uint8_t>(pass.moved + step[p].moved);
    }
  }
  plan.window = rules.fold;
  plan.passes = 1;
  if (!plan.pass[1].lanes) return;
  if (plan.pass[0].lanes)
    plan.passes = 2;
  else
    plan.pass[0] = plan.pass[1];
}

inline const LanePlan& full_fold() {
  static const LanePlan plan = [] {
    LanePlan full;
    fill(full, kAllLanes, {true, false, false});
    return full;
  }();
  return plan;
}

/// In every quad (4 lanes), moves the set bits of mask `m` to the lowest lanes of the quad. A sorting network
/// for four bits sorts all quads at once.
constexpr LaneMask packed(LaneMask m) {
  const auto sort = [&m](LaneMask low, unsigned apart) {
    const LaneMask a = m & low, b = m >> apart & low;
    m = (m & ~(low | low << apart)) | (a | b) | (a & b) << apart;
  };
  sort(0x55555555u, 1);
  sort(0x33333333u, 2);
  sort(0x22222222u, 1);
  return m;
}

}  // namespace fold_detail

/// Returns the lane plan for an instruction with the threads `threads` (at least one). Returns nullptr if
/// each thread runs in its own lane in one pass. Otherwise returns a constant plan, or writes the plan to
/// `storage` and returns it.
inline const LanePlan* fold_plan(LaneMask threads, const FoldRules& rules, LanePlan& storage) {
  if (threads == kAllLanes) return rules.fold ? &fold_detail::full_fold() : nullptr;
  if (!rules.fold && !rules.pack) return nullptr;
  fold_detail::fill(storage, threads, rules);
  return !rules.fold && storage.in_place() ? nullptr : &storage;
}

constexpr LaneMask fold_lanes(LaneMask threads, const FoldRules& rules) {
  if (!rules.fold) return rules.pack ? fold_detail::packed(threads) : threads;
  if (rules.by_rank) {
    const LaneMask ranked = fold_detail::packed(threads);
    return (ranked | ranked >> 2) & kLowerOfQuads;
  }
  const LaneMask first = threads & kLowerOfQuads, second = threads >> 2 & kLowerOfQuads;
  if (!rules.pack) return first | second;
  constexpr LaneMask kFirst = 0x11111111u;
  const auto pack = [](LaneMask two) { return ((two | two >> 1) & kFirst) | (two & two >> 1 & kFirst) << 1; };
  return pack(first) | pack(second);
}

}  // namespace heddle
