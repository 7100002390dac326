#pragma once

// Decides which warps' registers are written to memory and which are read back, for a CTA that may need more
// registers than exist (Jeon 2015, 8.1: "we rely on conventional register spilling"). One object decides for
// one partition: its pools, and its warps of the only CTA that runs. N_w is the most that warp w may need of
// a pool, and k_w is what it holds there (Warp::need and Warp::held).
//
// Rules:
//  - One warp is favoured. It waits at no barrier and may still request the fewest registers. Among equals
//    the oldest is chosen. It stays favoured until it waits at a barrier or ends.
//  - Another warp may claim registers only if the favoured warp's remaining need stays free.
//  - If the favoured warp's N does not fit next to what others hold, other warps are stopped. Each is written
//    out when none of its instructions is in flight. Warps at a barrier are chosen first, then quiet warps,
//    then the youngest.
//  - Another warp comes back when its whole need is free next to the remaining need of the favoured warp. The
//    favoured warp comes back when its own need is free. The registers that a returning warp had are then
//    reserved for it.
//
// These rules cause no dead-lock if the need of any one warp fits into the empty register file, which
// admission guarantees:
//  1. A stopped warp becomes quiet. Its instructions in flight hold their registers already. Within a strand,
//     it has claimed all its destinations in advance. After it is written out, it holds no register.
//  2. A returning warp always arrives, because its registers are reserved. Then it can be stopped again.
//  3. The favoured warp therefore gets its need, if necessary the whole register file.
//  4. The favoured warp is never blocked here, so it reaches a barrier or its end. Only then another warp is
//     favoured. Each such turn adds one barrier arrival or one end, and a CTA that ends has finitely many of
//     them.
//  5. If no warp of the partition can be favoured, all of them wait at barriers. Either warps of other
//     partitions have still to arrive, to which the same proof applies, or the barriers open.
//
// A warp that spins until another warp has acted is not covered by this proof.

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
    in,      ///< the warp has its registers
    going,   ///< stopped, or being written to memory
    out,     ///< in memory
    coming,  ///< being read back
  };
  struct Warp {
    WarpId id{};
    std::uint64_t age = 0;  ///< a smaller number is older
    Where where = Where::in;
    bool pending = false;  ///< waits at a barrier
    bool quiet = false;    ///< no instruction is in flight
    /// Entries by pool; saved: entries that a warp in memory or coming back had.
    std::vector<int> need, held, saved;
  };

  /// Sets the state: entries of the pools, unclaimed entries that can be allocated, and the warps of the CTA
  /// that have not ended. The spans must stay valid until the last query.
  void set_state(std::span<const int> capacity, std::span<const int> unclaimed, std::span<const Warp> warps) {
    capacity_ = capacity;
    unclaimed_ = unclaimed;
    warps_ = warps;
  }
  /// Resets the choice for another CTA.
  void reset() { favoured_ = kNone; }

  SpillOrders decide();
  /// True if the warp may claim `demand` entries by pool. Depends on the favoured warp of the last decide().
  /// False if the warp is not in the state.
  bool may_claim(WarpId warp, std::span<const int> demand) const;
  /// Number of the favoured warp, or -1.
  int favoured() const { return favoured_ == kNone ? -1 : static_cast<int>(favoured_); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const Warp* warp(std::uint32_t number) const;
  const Warp* choose() const;
  std::vector<int> room_for(const Warp& favoured) const;
  WarpSet victims(const Warp& favoured, std::vector<int> room) const;
  std::vector<int> spare(std::uint32_t number) const;
  bool covers(std::span<const int> have, std::span<const int> need) const;

  std::span<const int> capacity_, unclaimed_;
  std::span<const Warp> warps_;
  std::uint32_t favoured_ = kNone;
};

}  // namespace heddle
