#pragma once

// Decides which warps' registers are written to memory and read back, for a CTA that may need more registers
// than exist (Jeon 2015, 8.1: "we rely on conventional register spilling"). Such a CTA runs alone on the SM.
// One object decides for the pools and warps of one partition. In the rules, a warp's N is the largest number
// of entries that this warp may need of a pool (Warp::need).
//
// Rules:
// - One warp is favoured: it waits at no barrier, and of all such warps it may still request the fewest
//   registers. Among equals, the oldest warp is favoured. The favoured warp stays favoured until it waits at a
//   barrier or ends.
// - Another warp may claim registers only if the entries that the favoured warp may still request stay free.
// - If the favoured warp's N entries do not fit next to the entries that other warps hold, other warps are
//   stopped. The registers of a stopped warp are written to memory when none of its instructions is in
//   flight. Warps at a barrier are stopped first, then warps without instructions in flight, then the
//   youngest.
// - The registers of another warp are read back when N entries are free for that warp, in addition to the
//   entries that the favoured warp may still request. The registers of the favoured warp are read back when N
//   entries are free for it. The entries of a warp are reserved while its registers are read back.
//
// These rules cause no deadlock if the need of any single warp fits into the empty register file. Admission
// guarantees this condition. Proof:
// 1. A stopped warp reaches a state without instructions in flight. These instructions hold their registers
//    already, and within a strand the warp has claimed all its destinations in advance. After the warp is
//    written to memory, it holds no register.
// 2. A warp that is read back always gets its registers, because they are reserved. Then it can be stopped
//    again.
// 3. The favoured warp therefore gets all registers that it needs, if necessary the whole register file.
// 4. These rules never block the favoured warp, so it reaches a barrier or its end. Only then another warp is
//    favoured. Each change of the favoured warp adds one barrier arrival or one end of a warp, and a CTA has
//    finitely many arrivals and ends.
// 5. If no warp of the partition can be favoured, all its warps wait at barriers. Then the barriers open, or
//    warps of other partitions have still to arrive. The same proof applies to those partitions.
//
// The proof does not cover a warp that spins until another warp has acted.

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
    in,      ///< the warp's registers are in the register file
    going,   ///< the warp has been stopped, or its registers are being written to memory
    out,     ///< the warp's registers are in memory
    coming,  ///< the warp's registers are being read back from memory
  };
  struct Warp {
    WarpId id{};
    std::uint64_t age = 0;  ///< order in which warps were placed on the SM; a smaller number is older
    Where where = Where::in;
    bool pending = false;  ///< true if the warp waits at a barrier
    bool quiet = false;    ///< true if no instruction of the warp is in flight
    /// Register entries by pool. `need`: largest number that the warp may need. `held`: number that the warp
    /// holds. `saved`: number that the warp held before its registers were written to memory.
    std::vector<int> need, held, saved;
  };

  /// Sets the state of the partition: capacity and unclaimed entries of each pool, and the warps that run in
  /// the partition (all belong to the one CTA on the SM). The spans must stay valid until the last query.
  void set_state(std::span<const int> capacity, std::span<const int> unclaimed, std::span<const Warp> warps) {
    capacity_ = capacity;
    unclaimed_ = unclaimed;
    warps_ = warps;
  }
  void reset() { favoured_ = kNone; }

  SpillOrders decide();
  /// True if the warp may claim `demand` entries (by pool), because enough entries stay free for the favoured
  /// warp and for warps that are read back. A warp that is read back may always claim its entries. Returns
  /// false for a warp that set_state() did not receive.
  bool may_claim(WarpId warp, std::span<const int> demand) const;
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
