#pragma once

// Barrier rule of the issue constraints that replace the SM's scoreboard. A warp must not arrive at a barrier
// before its own memory accesses, except asynchronous copies, are complete. If the barrier has a result, the
// warp issues nothing until the result is written.

#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class MemoryBarriers {
 public:
  explicit MemoryBarriers(int warps) : warps_(static_cast<std::size_t>(warps)) {}

  void started(WarpId warp) { warps_[warp.value] = {}; }
  void issued(const InFlight& item) {
    Warp& warp = warps_[item.warp().value];
    if (item.collects() && counts(item)) ++warp.accesses;
    if (has_result(*item.instruction) && item.mask != 0) warp.waits_for_result = true;
  }
  void completed(const InFlight& item) {
    Warp& warp = warps_[item.warp().value];
    if (counts(item)) --warp.accesses;
    if (has_result(*item.instruction)) warp.waits_for_result = false;
  }
  bool blocks(WarpId warp, const isa::Instruction& next) const {
    const Warp& own = warps_[warp.value];
    return own.waits_for_result || (own.accesses != 0 && next.op == isa::Opcode::bar);
  }

 private:
  struct Warp {
    std::uint32_t accesses = 0;
    bool waits_for_result = false;
  };
  static bool counts(const InFlight& item) { return item.footprint->memory && !item.footprint->copy; }
  /// True for a barrier that writes a register. A barrier that writes a predicate needs no wait, because the
  /// predicate is written when the barrier opens.
  static bool has_result(const isa::Instruction& i) {
    return i.op == isa::Opcode::bar && i.num_dst != 0 && i.dst[0].is_reg();
  }
  std::vector<Warp> warps_;
};

}  // namespace heddle
