#pragma once

// Probe points of the entry formats and of the coalescing arbiter. At a probe point, RTL of the hardware in
// Radaideh 2021 can observe a result of the model or replace it.

#include <array>
#include <cstdint>

#include "models/banks/byte_row.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class EntryFormat;
class BankArbiter;

/// Probe point of the width of a written value (Radaideh 2021, IV-B5). Answer: the 3-bit width code
/// (width_code.h).
struct WidthPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;
  };
  using Answer = std::uint8_t;
};

/// Probe point of the stored bytes of a written value (Radaideh 2021, IV-B5). Bit b of the answer: byte b is
/// stored. Bit 4 + b: byte b is not stored because it is 0xff in every lane. Byte 0 is always stored.
struct ByteMaskPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;
  };
  using Answer = std::uint8_t;
};

/// Probe point that shows the values that the entry format rebuilds from a register's stored bytes. Answer: one
/// 32-bit value per lane.
struct ByteFillPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const ByteRow& delivered;
    std::uint8_t mask;
    bool left;
  };
  using Answer = LaneVec;
};

/// Probe point of the sub-banks that a register of a given width occupies (Radaideh 2021, IV-B3). Answer: one
/// bit for each sub-bank.
struct SubBankPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    std::uint8_t code;
    bool left;
  };
  using Answer = std::uint8_t;
};

/// Probe point of the alignment of a written value (Radaideh 2021, IV-B2). Answer: each lane's word with its
/// bytes in the order of the sub-banks.
struct AlignPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    bool left;
  };
  using Answer = LaneVec;
};

/// Probe point that shows the values to which the entry format expands a row's stored bytes. Answer: one 32-bit
/// value per lane.
struct ExpandPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const ByteRow& delivered;
    std::uint8_t code;
    bool left;
  };
  using Answer = LaneVec;
};

/// Probe point of the coalescing arbiter. For the oldest access of a bank, the arbiter chooses a later access
/// that the bank serves in the same cycle (Radaideh 2021, IV-B3). Answer: index of the later access in
/// `others`, or kNone.
struct PairPoint {
  using Owner = BankArbiter;
  static constexpr std::size_t kWindow = 16;
  static constexpr std::uint8_t kNone = kWindow;
  struct View {
    Cycle now;
    std::uint8_t first;
    /// Sub-banks of the later accesses.
    std::array<std::uint8_t, kWindow> others;
    /// For each later access: 1 if the bank may serve it together with the oldest access, provided that their
    /// sub-banks do not overlap.
    std::array<std::uint8_t, kWindow> ready{};
  };
  using Answer = std::uint8_t;
};

}  // namespace heddle
