#pragma once

// A row of a bank in the thread-interleaved format (Radaideh 2021, IV-B1). Each of the four sub-banks holds
// one byte position of all 32 lanes. A register is right-aligned (byte 0 in sub-bank 0) or left-aligned (byte
// 0 in sub-bank 3). Plain C++.

#include <cstdint>

#include "models/banks/width_code.h"
#include "models/core/lanes.h"

namespace heddle {

struct ByteRow {
  /// bytes of all lanes, one array for each sub-bank
  alignas(16) std::uint8_t bytes[kWordBytes][kLanes] = {};
};

inline int sub_bank_of(int byte, bool left) { return left ? kWordBytes - 1 - byte : byte; }

/// Reverses the four bytes of each lane, which converts between the byte order of a word and that of a
/// left-aligned row (Radaideh 2021, Fig. 4b). Does nothing for a right-aligned register.
void align(LaneVec& values, bool left);

/// Returns the bytes that the opened sub-banks deliver. Bytes of sub-banks that are not opened read as
/// kPoison.
ByteRow opened(const ByteRow& row, std::uint8_t sub_banks, bool left);

/// Rebuilds the 32-bit values of a register of width `width` from the delivered bytes.
void expand(const ByteRow& delivered, Width width, bool left, WidthRule rule, LaneVec& into);

/// Reads the 32-bit values of a register from the opened sub-banks of its row.
void read(const ByteRow& row, std::uint8_t sub_banks, Width width, bool left, WidthRule rule, LaneVec& into);

/// Returns the lanes in which the highest of the `bytes` stored bytes has its sign bit set.
LaneMask signs(const ByteRow& row, int bytes, bool left);

/// Parameters of a write to a row. `before`: width of the row before the write. Lanes that are not written
/// have stored bytes up to this width. Higher bytes of these lanes become 0xff in lanes of `negative`, and
/// 0x00 in other lanes.
struct ByteWrite {
  LaneMask mask = kAllLanes;
  Width before, after;
  LaneMask negative = 0;
};
/// Writes the low bytes of `values` into their sub-banks, as many as the width `after` stores.
void store(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);
/// Does the same as store() for any lane mask. store() takes a shorter path when all lanes are written.
void store_some(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left);

/// Poisons the bytes from `from_byte` to before `to_byte`, which no register uses.
void spoil(ByteRow& row, int from_byte, int to_byte, bool left);

}  // namespace heddle
