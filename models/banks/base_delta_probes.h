#pragma once

// Probe points of the entry format "base-delta". At a probe point, RTL can observe the model or replace its
// answer.

#include <array>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class EntryFormat;

/// Bytes of a row, sub-bank 0 first.
using DeltaRow = std::array<std::uint8_t, 4 * kLanes>;

/// Probe point of the code of a written value: bytes of a difference (0, 1 or 2), or 3 for a whole row.
struct DeltaDetectPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask live;
  };
  using Answer = std::uint8_t;
};

/// Probe point of the sub-banks that a row with this code opens. Answer: one bit for each sub-bank.
struct DeltaPlacePoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    std::uint8_t code;
  };
  using Answer = std::uint8_t;
};

/// Probe point of the values that are rebuilt from the delivered bytes of a row.
struct DeltaExpandPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const DeltaRow& delivered;
    std::uint8_t code;
  };
  using Answer = LaneVec;
};

}  // namespace heddle
