#pragma once

// A row in the thread-interleaved format (Radaideh 2021, IV-B1): a sub-bank holds one byte position of all
// lanes. Plain C++. A register lies at the right (byte 0 in sub-bank 0) or at the left (byte 0 in sub-bank
// 3).

#include <cstdint>

#include "models/banks/width_code.h"
#include "models/core/lanes.h"

namespace heddle {

struct ByteRow {
  alignas(16) std::uint8_t bytes[kWordBytes][kLanes] = {};  ///< by sub-bank
};

inline int sub_bank_of(int byte, bool left) { return left ? kWordBytes - 1 - byte : byte; }

/// The bytes of each lane come into the order of the sub-banks, or back: swapped at the left (Radaideh 2021,
/// Fig. 4b).
void align(LaneVec& values, bool left);

/// Output of a row's sub-banks, by sub-bank; a byte that is not opened reads as kPoison.
ByteRow opened(const ByteRow& row, std::uint8_t sub_banks, bool left);

/// The values of a register of that width from what was delivered.
void expand(const ByteRow& delivered, Width width, bool left, WidthRule rule, LaneVec& into);

/// The same from what those sub-banks of the row deliver.
void read(const ByteRow& row, std::uint8_t sub_banks, Width width, bool left, WidthRule rule, LaneVec& into);

/// Lanes whose highest stored byte has its sign set.
LaneMask signs(const ByteRow& row, int bytes, bool left);

/// Result of a write: `before` was the width of the lanes that stay; bytes above it become 0xff where
/// `negative`, otherwise 0x00.
struct ByteWrite {
  LaneMask mask = kAllLanes;
  Width before, after;
  LaneMask negative = 0;
};
/// Writes the low bytes of `values` that `after` needs, each to its sub-bank.
void store(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);
/// The same whatever the mask; store() has a shorter way for all lanes.
void store_some(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);

/// Poisons bytes that a register does not use, or gives up.
void spoil(ByteRow& row, int from_byte, int to_byte, bool left);

}  // namespace heddle
