#pragma once

// Probe points of the entry format "base-delta". At a probe point, RTL can observe a result of the model or
// replace it.

#include <array>
#include <bit>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class EntryFormat;

/// Bytes of a row, sub-bank 0 first.
using DeltaRow = std::array<std::uint8_t, 4 * kLanes>;

/// Returns the base of a register: the value of its lowest live lane (a lane whose thread has not exited).
inline std::uint32_t delta_base(const LaneVec& values, LaneMask live) {
  return live ? values[std::countr_zero(live)] : 0;
}
/// Returns a lane's value minus the base, modulo 2^32; 0 for a lane that is not live.
inline std::uint32_t delta_of(const LaneVec& values, LaneMask live, std::uint32_t base, int lane) {
  return live >> lane & 1 ? values[lane] - base : 0;
}

/// Probe point of the compression code that the entry format chooses for a written value. Codes 0, 1 and 2:
/// number of bytes that store each lane's difference from the base. Code 3: the row stores whole words.
struct DeltaDetectPoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    const LaneVec& values;
    LaneMask live;
  };
  using Answer = std::uint8_t;
};

/// Probe point of the layout of a row. Input: the row's compression code (DeltaDetectPoint). Answer: the
/// sub-banks that an access opens, and for a write also the bytes of the row.
struct DeltaPlacePoint {
  using Owner = EntryFormat;
  struct View {
    Cycle now;
    std::uint8_t code;
    const LaneVec* values = nullptr;  ///< values of a write; nullptr: the access only opens the row
    LaneMask live = 0;
  };
  struct Answer {
    std::uint8_t sub_banks;  ///< sub-banks that the access opens, one bit for each
    DeltaRow row{};          ///< bytes of the row; only the bytes that its compression code uses are defined
  };
};

/// Probe point that shows the values that the entry format rebuilds from a row's delivered bytes.
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
