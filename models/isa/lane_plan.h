#pragma once

// Assignment of a warp-instruction's threads to the physical lanes of a unit, in one or two passes. The issue
// stage determines the plan. A null pointer means one pass in which each thread executes in its own lane (the
// lane with the thread's number).

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "models/core/lanes.h"
#include "models/isa/rows.h"

namespace heddle {

struct LanePass {
  LaneMask lanes = 0;
  std::array<std::uint8_t, kLanes> from{};
  std::uint8_t moved = 0;

  void add(int lane, int thread) {
    lanes |= LaneMask{1} << lane;
    if (lane != thread) ++moved;
    from[static_cast<std::size_t>(lane)] = static_cast<std::uint8_t>(thread);
  }
  int thread_of(int lane) const { return from[static_cast<std::size_t>(lane)]; }
  bool stays() const {
    std::uint64_t others = 0;
    for (std::size_t word = 0; word < 4; ++word) {
      std::uint64_t threads = 0;
      std::memcpy(&threads, from.data() + 8 * word, sizeof threads);
      others |= threads ^ kOwnThreads[word];
    }
    return others == 0;
  }

 private:
  static constexpr std::array<std::uint64_t, 4> kOwnThreads = [] {
    std::array<std::array<std::uint8_t, 8>, 4> own{};
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      own[lane / 8][lane % 8] = static_cast<std::uint8_t>(lane);
    return std::bit_cast<std::array<std::uint64_t, 4>>(own);
  }();
};

struct LanePlan {
  /// Number of passes: 1 or 2. The second pass starts one initiation interval after the first.
  int passes = 1;
  std::array<LanePass, 2> pass{};
  bool window = false;

  /// Lanes that execute a thread in the first or the second pass. These lanes are in use from issue until the
  /// instruction has left the unit.
  LaneMask lanes() const { return pass[0].lanes | (passes > 1 ? pass[1].lanes : 0); }

  int moved() const { return pass[0].moved + (passes > 1 ? pass[1].moved : 0); }
  bool in_place() const { return passes == 1 && pass[0].moved == 0; }

  /// Returns true if the plan executes each of `threads` exactly once, and no other thread.
  bool serves(LaneMask threads) const {
    LaneMask served = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(passes); ++p)
      for (LaneMask rest = pass[p].lanes; rest; rest &= rest - 1) {
        const LaneMask thread = LaneMask{1} << pass[p].thread_of(std::countr_zero(rest));
        if (served & thread) return false;
        served |= thread;
      }
    return served == threads;
  }
};

/// Moves operand values from thread order into lane order for one pass. Lanes without a thread get poison
/// (kPoison).
inline void gather(LaneVec& into, const LaneVec& values, const LanePass& pass) {
  isa::kRows.permute(into, values, pass.from.data(), pass.lanes);
}
inline LaneMask gather(LaneMask bits, const LanePass& pass) {
  LaneMask into = kPoison & ~pass.lanes;
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    into |= (bits >> pass.thread_of(lane) & 1) << lane;
  }
  return into;
}

/// Moves results of one pass from lane order back to thread order. Values of threads outside this pass stay
/// unchanged.
inline void scatter(LaneVec& into, const LaneVec& computed, const LanePass& pass) {
  if (pass.stays()) return merge_lanes(into, computed, pass.lanes);
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    into[pass.thread_of(lane)] = computed[lane];
  }
}
inline void scatter(LaneMask& into, LaneMask computed, const LanePass& pass) {
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest), thread = pass.thread_of(lane);
    into = (into & ~(LaneMask{1} << thread)) | (computed >> lane & 1) << thread;
  }
}

/// Replaces the outputs of lanes without power by poison (kPoison).
inline void poison_lanes(LaneVec& values, LaneMask lanes) {
  for (; lanes; lanes &= lanes - 1) values[std::countr_zero(lanes)] = kPoison;
}
inline LaneMask poison_bits(LaneMask bits, LaneMask lanes) { return (bits & ~lanes) | (kPoison & lanes); }

}  // namespace heddle
