#pragma once

// Width of a register: the number of low bytes that must be stored to reconstruct all its lanes (Radaideh
// 2021, IV-B5). A sub-banked row stores the width as a 3-bit code.

#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

inline constexpr int kWordBytes = 4;

enum class WidthRule : std::uint8_t {
  uniform,  ///< The bytes above the width are 0x00 in every lane, or 0xff in every lane.
  extended  ///< The bytes above the width repeat the sign bit of their lane (two's complement).
};

/// Number of stored low bytes of a register (1 to 4), and the value of the higher bytes. Rule `uniform`: every
/// higher byte is 0xff if `ones` is true, otherwise 0x00. Rule `extended`: higher bytes repeat each lane's sign
/// bit, and `ones` is false.
struct Width {
  int bytes = kWordBytes;
  bool ones = false;
  bool operator==(const Width&) const = default;

  /// Returns the 3-bit code of the width. If the higher bytes are 0x00: 000, 001, 011, 111 for 1 to 4 stored
  /// bytes. If they are 0xff: 100, 101, 110 for 1 to 3 stored bytes.
  std::uint8_t code() const;
  static Width of_code(std::uint8_t code);
};

inline constexpr Width kWidths[8] = {{1, false}, {2, false}, {4, false}, {3, false},
                                     {1, true},  {2, true},  {3, true},  {4, false}};
inline Width Width::of_code(std::uint8_t code) { return kWidths[code & 7]; }

/// Returns the smallest width that keeps the values of the lanes in `mask`. An empty mask needs one byte.
Width detect_width(const LaneVec& values, LaneMask mask, WidthRule rule);

/// Returns the smallest width that keeps both the old values of a row (width `held`) and the values of a
/// write (width `written`).
Width joined_width(Width held, Width written);

/// Returns the sub-banks that store `bytes` bytes. If `left` is true, these are the sub-banks from sub-bank 3
/// downwards, otherwise from sub-bank 0 upwards.
inline std::uint8_t sub_banks_of(int bytes, bool left) {
  const unsigned low = (1u << bytes) - 1;
  return static_cast<std::uint8_t>(left ? low << (kWordBytes - bytes) : low);
}

}  // namespace heddle
