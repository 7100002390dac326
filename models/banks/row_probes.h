#pragma once

// Probe points of the formats that store bytes by sub-banks, and of the arbiter that joins accesses: what
// stands beside RTL of Radaideh 2021's additions (models/core/probe.h).

#include <array>
#include <cstdint>

#include "models/banks/byte_row.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class EntryFormat;
class BankArbiter;

/// The width of what is written (Radaideh 2021, IV-B5): the answer is its code.
struct WidthPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< that are judged
  };
  using Answer = std::uint8_t;
};

/// Bytes of a written value that are stored (IV-B5 to the letter). Answer, bit b: byte b is stored; bit 4 +
/// b: it is not, and was 0xff in every lane. Byte 0 is always stored.
struct ByteMaskPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask lanes;  ///< that are judged
  };
  using Answer = std::uint8_t;
};

/// Bytes on their way to a collector, by such a mask: the answer is the register's values.
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

/// The sub-banks of a width (IV-B3): the answer is their set.
struct SubBankPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    std::uint8_t code;
    bool left;
  };
  using Answer = std::uint8_t;
};

/// Bytes on their way to a row (IV-B2): the answer is each lane's word in the order of the sub-banks.
struct AlignPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    bool left;
  };
  using Answer = LaneVec;
};

/// Bytes on their way to a collector: the answer is the register's values.
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

/// Partner of the access that a bank serves (IV-B3): the answer is the number of the candidate, or kNone.
struct PairPoint {
  using Owner = BankArbiter;
  static constexpr std::size_t kWindow = 16;
  static constexpr std::uint8_t kNone = kWindow;
  struct View {
    Cycle now;
    std::uint8_t first;                         ///< sub-banks of the access that is served
    std::array<std::uint8_t, kWindow> others;   ///< of those after it
    std::array<std::uint8_t, kWindow> ready{};  ///< 1: may go with it, apart from its sub-banks
  };
  using Answer = std::uint8_t;
};

}  // namespace heddle
