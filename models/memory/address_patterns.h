#pragma once

// Computes the addresses of a warp's memory access, and their pattern: the distance of each lane's address
// from the first lane's address. A kernel's accesses have few patterns. Results that depend only on the
// distances, such as bank conflicts, are therefore cached by pattern number.

#include <array>
#include <cstdint>

#include "models/isa/lane_operands.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

class AddressPatterns {
 public:
  static constexpr std::size_t kMost = 64;

  AddressPatterns();

  /// Computes the address of each lane: the value of the address operand plus the instruction's offset. A
  /// 32-bit address wraps modulo 2^32. `mask`: the active lanes, at least one.
  void make(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask mask,
            WarpAddresses& out);
  /// Sets the lanes' 64-bit addresses and determines their pattern. The caller gives inactive lanes the
  /// address of an active lane.
  void make(const std::array<std::uint64_t, kLanes>& addresses, WarpAddresses& out);

 private:
  struct Pattern {
    LaneVec distance{};
    unsigned bytes = 0;
    std::uint32_t below = 0, above = 0;
    std::uint32_t bits = 0;
    bool consecutive = false;
    std::uint64_t number = 0;
  };

  void look_up(std::uint64_t window, WarpAddresses& a);
  static void learn(const WarpAddresses& a, Pattern& known);

  std::array<Pattern, kMost> patterns_;
};

}  // namespace heddle
