#pragma once

// Width of a register, and the 3-bit code that a sub-banked row stores for it. The width is the number of low
// bytes that must be stored to reconstruct all its lanes (Radaideh 2021, IV-B5). Plain C++.

#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

inline constexpr int kWordBytes = 4;

enum class WidthRule : std::uint8_t {
  uniform,  ///< the higher bytes are 0x00 in every lane, or 0xff in every lane
  extended  ///< the higher bytes repeat their lane's sign (two's complement)
};

/// `bytes` low bytes are stored, 1 to 4. Every higher byte is 0xff if `ones` is set, otherwise 0x00. With the
/// rule `extended`, higher bytes repeat each lane's sign, and `ones` is never set. It is never set for four
/// bytes.
struct Width {
  int bytes = kWordBytes;
  bool ones = false;
  bool operator==(const Width&) const = default;

  /// Code for zeros above the stored bytes: 000, 001, 011, 111 for 1 to 4 bytes. Code for ones above them:
  /// 100, 101, 110 for 1 to 3 bytes.
  std::uint8_t code() const;
  static Width of_code(std::uint8_t code);
};

/// Widths, indexed by their codes.
inline constexpr Width kWidths[8] = {{1, false}, {2, false}, {4, false}, {3, false},
                                     {1, true},  {2, true},  {3, true},  {4, false}};
inline Width Width::of_code(std::uint8_t code) { return kWidths[code & 7]; }

/// Returns the least width that keeps the values of the lanes in `mask`; one byte for an empty mask.
Width detect_width(const LaneVec& values, LaneMask mask, WidthRule rule);

/// Returns the least width of a row that keeps both the old lanes and the written ones.
Width joined_width(Width held, Width written);

/// Returns the sub-banks that hold `bytes` bytes: from sub-bank 0 up, or left-aligned from sub-bank 3 down.
inline std::uint8_t sub_banks_of(int bytes, bool left) {
  const unsigned low = (1u << bytes) - 1;
  return static_cast<std::uint8_t>(left ? low << (kWordBytes - bytes) : low);
}

}  // namespace heddle
