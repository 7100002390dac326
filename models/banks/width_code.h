#pragma once

// How many low bytes of a register's lanes are needed to know all of it (Radaideh 2021, IV-B5), and the 3-bit
// code that a sub-banked row keeps for this. Plain C++.

#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

inline constexpr int kWordBytes = 4;

enum class WidthRule : std::uint8_t {
  uniform,  ///< the higher bytes are 0x00 in every lane, or 0xff in every lane
  extended  ///< the higher bytes repeat their lane's sign (two's complement)
};

/// `bytes` low bytes are stored, 1 to 4; above them every byte is 0xff if `ones`, else 0x00. By the rule
/// `extended` above them stands each lane's sign and `ones` is never set, nor is it of four bytes.
struct Width {
  int bytes = kWordBytes;
  bool ones = false;
  bool operator==(const Width&) const = default;

  /// Zeros above the stored bytes: 000, 001, 011, 111 for 1 to 4 bytes; ones above them: 100, 101, 110 for 1 to 3.
  std::uint8_t code() const;
  static Width of_code(std::uint8_t code);
};

/// By their codes.
inline constexpr Width kWidths[8] = {{1, false}, {2, false}, {4, false}, {3, false},
                                     {1, true},  {2, true},  {3, true},  {4, false}};
inline Width Width::of_code(std::uint8_t code) { return kWidths[code & 7]; }

/// The least width that keeps the values of the lanes in `mask`; of no lane, one byte.
Width detect_width(const LaneVec& values, LaneMask mask, WidthRule rule);

/// The least width of a row that keeps both: what it held, for the lanes that stay, and what is written.
Width joined_width(Width held, Width written);

/// The sub-banks that hold `bytes` bytes: from sub-bank 0 on, or, left aligned, from sub-bank 3 down.
inline std::uint8_t sub_banks_of(int bytes, bool left) {
  const unsigned low = (1u << bytes) - 1;
  return static_cast<std::uint8_t>(left ? low << (kWordBytes - bytes) : low);
}

}  // namespace heddle
