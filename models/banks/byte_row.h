#pragma once

// A row in the thread-interleaved format (Radaideh 2021, IV-B1): a sub-bank holds one byte position of all
// lanes. A register is right-aligned (byte 0 in sub-bank 0) or left-aligned (byte 0 in sub-bank 3). Plain
// C++.

#include <cstdint>

#include "models/banks/width_code.h"
#include "models/core/lanes.h"

namespace heddle {

struct ByteRow {
  alignas(16) std::uint8_t bytes[kWordBytes][kLanes] = {};  ///< by sub-bank
};

inline int sub_bank_of(int byte, bool left) { return left ? kWordBytes - 1 - byte : byte; }

/// Swaps the bytes of each lane between the order of the word and the order of the sub-banks, for a
/// left-aligned register (Radaideh 2021, Fig. 4b).
void align(LaneVec& values, bool left);

/// Returns the bytes that the opened sub-banks deliver, by sub-bank. A byte that is not opened reads as
/// kPoison.
ByteRow opened(const ByteRow& row, std::uint8_t sub_banks, bool left);

/// Computes the values of a register of this width from the delivered bytes.
void expand(const ByteRow& delivered, Width width, bool left, WidthRule rule, LaneVec& into);

/// Computes the values of a register from the opened sub-banks of its row.
void read(const ByteRow& row, std::uint8_t sub_banks, Width width, bool left, WidthRule rule, LaneVec& into);

/// Returns the lanes whose highest stored byte has its sign bit set.
LaneMask signs(const ByteRow& row, int bytes, bool left);

/// Parameters of a write. `before` is the width of the lanes that are not written. Their bytes above this
/// width become 0xff for lanes in `negative`, otherwise 0x00.
struct ByteWrite {
  LaneMask mask = kAllLanes;
  Width before, after;
  LaneMask negative = 0;
};
/// Writes the low bytes of `values` that `after` needs, each to its sub-bank.
void store(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);
/// Like store(), for any mask. store() has a shorter path for all lanes.
void store_some(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);

/// Poisons bytes that a register does not use or frees.
void spoil(ByteRow& row, int from_byte, int to_byte, bool left);

}  // namespace heddle
