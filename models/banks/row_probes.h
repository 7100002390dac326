#pragma once

// Probe points (models/core/probe.h) of formats that store bytes by sub-banks, and of the coalescing arbiter.
// The RTL of the additions of Radaideh 2021 uses them.

#include <array>
#include <cstdint>

#include "models/banks/byte_row.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class EntryFormat;
class BankArbiter;

/// Probe point: the width of a written value (Radaideh 2021, IV-B5). The answer is the code of the width
/// (width_code.h).
struct WidthPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< lanes that are judged
  };
  using Answer = std::uint8_t;
};

/// Probe point: the bytes of a written value that are stored (IV-B5 to the letter). In the answer, bit b is
/// set if byte b is stored. Bit 4 + b is set if byte b is not stored and was 0xff in every lane. Byte 0 is
/// always stored.
struct ByteMaskPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< lanes that are judged
  };
  using Answer = std::uint8_t;
};

/// Probe point: bytes on their way to a collector, with the mask of ByteMaskPoint. The answer is the
/// register's values.
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

/// Probe point: the sub-banks of a width (IV-B3). The answer is their set.
struct SubBankPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    std::uint8_t code;
    bool left;
  };
  using Answer = std::uint8_t;
};

/// Probe point: bytes on their way to a row (IV-B2). The answer is each lane's word in the order of the
/// sub-banks.
struct AlignPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    bool left;
  };
  using Answer = LaneVec;
};

/// Probe point: bytes on their way to a collector. The answer is the register's values.
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

/// Probe point: the partner of the access that a bank serves (IV-B3). The answer is the number of the
/// candidate, or kNone.
struct PairPoint {
  using Owner = BankArbiter;
  static constexpr std::size_t kWindow = 16;
  static constexpr std::uint8_t kNone = kWindow;
  struct View {
    Cycle now;
    std::uint8_t first;                         ///< sub-banks of the served access
    std::array<std::uint8_t, kWindow> others;   ///< sub-banks of the accesses after it
    std::array<std::uint8_t, kWindow> ready{};  ///< 1: the candidate may join, apart from its sub-banks
  };
  using Answer = std::uint8_t;
};

}  // namespace heddle
