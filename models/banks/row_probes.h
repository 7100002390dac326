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

/// Probe point: the width of a written value (Radaideh 2021, IV-B5). The answer, which RTL may replace, is
/// the code of the width (width_code.h).
struct WidthPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< lanes that are judged
  };
  using Answer = std::uint8_t;
};

/// Probe point: the bytes of a written value that are stored (Radaideh 2021, IV-B5 to the letter). In the
/// answer, which RTL may replace, bit b is set if byte b is stored. Bit 4 + b is set if byte b is not stored
/// and was 0xff in every lane. Byte 0 is always stored.
struct ByteMaskPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< lanes that are judged
  };
  using Answer = std::uint8_t;
};

/// Probe point: bytes on their way to a collector, with a mask of stored bytes in the form of ByteMaskPoint.
/// The answer, which RTL may replace, is the register's values.
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

/// Probe point: the sub-banks that a register of a given width occupies (Radaideh 2021, IV-B3). The answer,
/// which RTL may replace, is their set, one bit each.
struct SubBankPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    std::uint8_t code;
    bool left;
  };
  using Answer = std::uint8_t;
};

/// Probe point: bytes on their way to a row (Radaideh 2021, IV-B2). The answer, which RTL may replace, is
/// each lane's word in the order of the sub-banks.
struct AlignPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    bool left;
  };
  using Answer = LaneVec;
};

/// Probe point: bytes on their way to a collector. The answer, which RTL may replace, is the register's
/// values.
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

/// Probe point: the partner of the access that a bank serves, that is a later access served with it (Radaideh
/// 2021, IV-B3). The answer, which RTL may replace, is the partner's index in `others`, or kNone.
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
