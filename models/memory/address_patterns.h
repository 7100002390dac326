#pragma once

// Distances of a warp's addresses from the first lane's. A kernel's accesses have few such patterns, which
// recur at other addresses. Results that depend on the distances alone are computed once a pattern and kept
// in a small direct-mapped table; BankConflicts stores the pattern's cost in shared memory with it.

#include <array>
#include <cstdint>

#include "models/isa/lane_operands.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

class AddressPatterns {
 public:
  static constexpr std::size_t kMost =
      64;  ///< remembered at a time; number modulo kMost: the place in the table

  AddressPatterns();

  /// Address operand plus offset of every lane; a 32-bit address wraps modulo 2^32. `mask` is not empty.
  void make(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask mask,
            WarpAddresses& out);
  /// Addresses of 64 bits; inactive lanes must be filled in.
  void make(const std::array<std::uint64_t, kLanes>& addresses, WarpAddresses& out);

 private:
  struct Pattern {
    alignas(64) std::uint32_t distance[kLanes] = {};
    unsigned bytes = 0;                  ///< 0: empty
    std::uint32_t below = 0, above = 0;  ///< from the first lane's address to the lowest and the highest one
    std::uint32_t bits = 0;              ///< set in any distance
    bool consecutive = false;
    std::uint64_t number = 0;
  };
  struct Loops;

  std::array<Pattern, kMost> patterns_;
};

}  // namespace heddle
