#pragma once

// Computes the addresses of a warp and their pattern: the distances from the first lane's address. A kernel's
// accesses have few patterns, which recur at other addresses. Results that depend only on the distances are
// computed once per pattern and kept in a small direct-mapped table. BankConflicts stores the cost of a
// pattern in the same way.

#include <array>
#include <cstdint>

#include "models/isa/lane_operands.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

class AddressPatterns {
 public:
  /// Entries of the table; a pattern is stored at its number modulo kMost.
  static constexpr std::size_t kMost = 64;

  AddressPatterns();

  /// Addresses of all lanes: address operand plus offset. A 32-bit address wraps modulo 2^32. `mask` must not
  /// be empty.
  void make(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask mask,
            WarpAddresses& out);
  /// For given 64-bit addresses. Inactive lanes must have the address of an active lane.
  void make(const std::array<std::uint64_t, kLanes>& addresses, WarpAddresses& out);

 private:
  struct Pattern {
    LaneVec distance{};
    unsigned bytes = 0;                  ///< 0: empty
    std::uint32_t below = 0, above = 0;  ///< from the first lane's address to the lowest and the highest one
    std::uint32_t bits = 0;              ///< set in any distance
    bool consecutive = false;
    std::uint64_t number = 0;
  };

  void look_up(std::uint64_t window, WarpAddresses& a);
  static void learn(const WarpAddresses& a, Pattern& known);

  std::array<Pattern, kMost> patterns_;
};

}  // namespace heddle
