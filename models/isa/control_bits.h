#pragma once

// Control bits of an instruction, for cores without a scoreboard (Huerta 2025, section 4). By these bits, the
// compiler ensures that a result is complete before an instruction uses it.

#include <cstdint>

namespace heddle::isa {

/// Dependence counters of a warp.
inline constexpr std::uint8_t kDependenceCounters = 6;
inline constexpr std::uint8_t kLargestStall = 15;

struct ControlBits {
  static constexpr std::uint8_t kNoCounter = 7;

  /// False: no compiler pass has set the bits, for example because hardware inserts the instruction. The
  /// instruction then waits for all dependence counters, and the warp stalls for kLargestStall cycles after
  /// it.
  bool set = false;
  /// Cycles from the issue of this instruction to the next issue of the warp, 0 to 15. The value 0 has the
  /// same effect as 1.
  std::uint8_t stall = 0;
  /// True: the warp does not issue in the next cycle. If `yield` is true and `stall` is 0, the warp does not
  /// issue for 45 cycles.
  bool yield = false;
  /// Number of the dependence counter that is incremented at issue and decremented when the results are
  /// written; kNoCounter: none.
  std::uint8_t write_counter = kNoCounter;
  /// Number of the dependence counter that is incremented at issue and decremented when the sources have been
  /// read; kNoCounter: none.
  std::uint8_t read_counter = kNoCounter;
  /// Bit mask of the dependence counters that must be zero before the instruction may issue.
  std::uint8_t wait_mask = 0;

  bool operator==(const ControlBits&) const = default;
};

}  // namespace heddle::isa
