#pragma once

// Which warps' registers are written out to memory and which come back, where a CTA may need more registers than
// there are (Jeon 2015, 8.1: "we rely on conventional register spilling"). One partition: its pools, and its
// warps of the one CTA that runs. With N_w the most that warp w may need of a pool and k_w what it holds
// there (Warp::need, held):
//
//  - One warp is favoured: of those that wait at no barrier the one that may still ask for the fewest registers, then
//    the oldest. It stays so until it waits at one or has ended.
//  - Another warp claims registers only if the rest of the favoured one's need stays free after it.
//  - If N of the favoured one does not fit beside what the others hold, others are stopped and, once nothing of them
//    is in flight, written out: those that wait at a barrier first, then those that are quiet, then the youngest.
//  - A warp comes back when its whole need is free beside the favoured one's rest, the favoured one itself when its
//    need is free; what it had is kept free for it from then on.
//
// No dead-lock, if one warp's need fits into the empty file (admission sees to that):
//  1. A stopped warp becomes quiet: what it has in flight holds its registers already, and within a strand it has
//     claimed beforehand whatever it writes. Written out, it holds nothing.
//  2. A warp that comes back gets there: what it waits for is kept free from all others. Then it can be stopped.
//  3. So the favoured warp gets its need, whatever the others do: in the end it has the file alone.
//  4. It is never held back here, so it comes to a barrier or to its end; only then another one is favoured. Each
//     such turn brings the CTA on by one arrival or end, and a CTA that ends has finitely many of them.
//  5. If no warp of the partition can be favoured all of them wait at barriers, for warps of other partitions, of
//     which the same holds, or for none: then the barriers open.
// A warp that spins until another one has done something is not covered, nor is it in the throttle's own rule.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/ids.h"
#include "models/core/warp_set.h"
#include "models/scheduler/constraints/spill_orders.h"

namespace heddle {

class SpillChoice {
 public:
  enum class Where : std::uint8_t {
    in,      ///< it has its registers
    going,   ///< stopped, or being written out
    out,     ///< in memory
    coming,  ///< being read back
  };
  struct Warp {
    WarpId id{};
    std::uint64_t age = 0;  ///< smaller is older
    Where where = Where::in;
    bool pending = false;                ///< waits at a barrier
    bool quiet = false;                  ///< nothing of it is in flight
    std::vector<int> need, held, saved;  ///< by pool; saved: what it had, of a warp that is out or comes back
  };

  /// Current state: entries of the pools, unclaimed entries that can be allocated, and the warps of the CTA
  /// that have not ended.
  void tell(std::span<const int> capacity, std::span<const int> unclaimed, std::span<const Warp> warps) {
    capacity_ = capacity;
    unclaimed_ = unclaimed;
    warps_ = warps;
  }
  /// Another CTA.
  void forget() { favoured_ = kNone; }

  SpillOrders decide();
  /// True if the warp, one of those listed, may claim this many of each pool; uses the favoured warp of the
  /// last decide().
  bool may_claim(WarpId warp, std::span<const int> demand) const;
  /// Warp number, or -1.
  int favoured() const { return favoured_ == kNone ? -1 : static_cast<int>(favoured_); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const Warp* warp(std::uint32_t number) const;
  const Warp* choose() const;
  std::vector<int> beside(const Warp& favoured) const;
  WarpSet victims(const Warp& favoured, std::vector<int> room) const;
  std::vector<int> spare(std::uint32_t number) const;
  bool covers(std::span<const int> have, std::span<const int> need) const;

  std::span<const int> capacity_, unclaimed_;
  std::span<const Warp> warps_;
  std::uint32_t favoured_ = kNone;
};

}  // namespace heddle
