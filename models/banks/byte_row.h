#pragma once

// Row of a bank in the thread-interleaved format (Radaideh 2021, IV-B1). Each of the four sub-banks holds one
// byte position of all 32 lanes. A right-aligned register has byte 0 in sub-bank 0. A left-aligned register has
// byte 0 in sub-bank 3.

#include <cstdint>

#include "models/banks/width_code.h"
#include "models/core/lanes.h"

namespace heddle {

struct ByteRow {
  alignas(16) std::uint8_t bytes[kWordBytes][kLanes] = {};
};

inline int sub_bank_of(int byte, bool left) { return left ? kWordBytes - 1 - byte : byte; }

/// Reverses the four bytes of each lane if the register is left-aligned (Radaideh 2021, Fig. 4b).
void align(LaneVec& values, bool left);

/// Returns the bytes that an access reads if it opens the sub-banks `sub_banks`. The bytes of the other
/// sub-banks are kPoison. `left`: true if the register is left-aligned.
ByteRow opened(const ByteRow& row, std::uint8_t sub_banks, bool left);

/// Rebuilds the 32-bit values of a register of width `width` from the bytes that the sub-banks delivered.
/// `left`: true if the register is left-aligned.
void expand(const ByteRow& delivered, Width width, bool left, WidthRule rule, LaneVec& into);

void read(const ByteRow& row, std::uint8_t sub_banks, Width width, bool left, WidthRule rule, LaneVec& into);

/// Returns the lanes whose stored value is negative: the highest of the `bytes` stored bytes has its sign bit
/// set.
LaneMask signs(const ByteRow& row, int bytes, bool left);

/// Parameters of a write to a row. `before`: stored width before the write. If the width grows, lanes that
/// are not written also get new high bytes: 0xff in lanes of `negative`, 0x00 in the other lanes.
struct ByteWrite {
  LaneMask mask = kAllLanes;
  Width before, after;
  LaneMask negative = 0;
};
/// Writes the low bytes of `values` (as many as write.after has) into their sub-banks.
void store(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);
void store_some(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);

/// Poisons the bytes `from_byte` to `to_byte` - 1, which no register uses.
void spoil(ByteRow& row, int from_byte, int to_byte, bool left);

}  // namespace heddle
