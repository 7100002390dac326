#pragma once

// Probe points (models/core/probe.h) of the formats that store bytes in sub-banks, and of the coalescing
// arbiter. RTL blocks for the hardware that Radaideh 2021 adds to the register file attach here.

#include <array>
#include <cstdint>

#include "models/banks/byte_row.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class EntryFormat;
class BankArbiter;

/// Probe point: the model computes the width of a written value (Radaideh 2021, IV-B5). The answer is the
/// 3-bit code of the width (width_code.h). An attached RTL block may replace it.
struct WidthPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< lanes from which the width is computed
  };
  using Answer = std::uint8_t;
};

/// Probe point: the model decides which bytes of a written value are stored (Radaideh 2021, IV-B5, byte by
/// byte). Bit b of the answer is set if byte b is stored. Bit 4 + b is set if byte b is not stored because it
/// is 0xff in every lane. Byte 0 is always stored. An attached RTL block may replace the answer.
struct ByteMaskPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< lanes for which the bytes are compared
  };
  using Answer = std::uint8_t;
};

/// Probe point: the model rebuilds a register from the stored bytes on their way to a collector. The mask of
/// stored bytes has the form of ByteMaskPoint's answer. The answer is the register's values. An attached RTL
/// block may replace it.
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

/// Probe point: the model computes the sub-banks that a register of a given width occupies (Radaideh 2021,
/// IV-B3). The answer is a set with one bit for each sub-bank. An attached RTL block may replace it.
struct SubBankPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    std::uint8_t code;
    bool left;
  };
  using Answer = std::uint8_t;
};

/// Probe point: the model aligns a written value for its row (Radaideh 2021, IV-B2). The answer is each
/// lane's word in the byte order of the sub-banks. An attached RTL block may replace it.
struct AlignPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    bool left;
  };
  using Answer = LaneVec;
};

/// Probe point: the model expands the stored bytes of a row to 32-bit values on their way to a collector. The
/// answer is the register's values. An attached RTL block may replace it.
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

/// Probe point: the arbiter chooses a partner, a later access that the bank serves together with the oldest
/// one (Radaideh 2021, IV-B3). The answer is the partner's index in `others`, or kNone. An attached RTL block
/// may replace it.
struct PairPoint {
  using Owner = BankArbiter;
  static constexpr std::size_t kWindow = 16;
  static constexpr std::uint8_t kNone = kWindow;
  struct View {
    Cycle now;
    std::uint8_t first;  ///< sub-banks of the access that the bank serves first
    /// sub-banks of the accesses that wait after the served access
    std::array<std::uint8_t, kWindow> others;
    /// 1: the access may be served together with the first one if their sub-banks do not overlap; 0: it may
    /// not
    std::array<std::uint8_t, kWindow> ready{};
  };
  using Answer = std::uint8_t;
};

}  // namespace heddle
