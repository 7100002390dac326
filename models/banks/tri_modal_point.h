#pragma once

// Where the states of the first rows of a tri-modal register file can be looked at, cycle by cycle: what has begun
// and ended in a cycle that is over, and the state of the row in the next one.

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

enum class TricState : std::uint8_t { off, drowsy, waking, on };

/// Constants of the part.
struct TricSettings {
  int wake_up_cycles = 3, look_ahead_cycles = 0;
  bool unallocated_off = true;
};

struct TricView {
  Cycle now = 0;
  std::uint32_t begins = 0, ends = 0;  ///< uses of the row
  bool allocated = false, freed = false;
};

struct TricPoint {
  using Owner = TricSettings;
  using View = TricView;
  using Answer = TricState;
  static constexpr bool kEndOfCycle = true;
};

/// The first rows together, which share their counters (tric.v).
inline constexpr std::size_t kWatchedRows = 4;
struct TricRowsView {
  Cycle now = 0;
  std::array<TricView, kWatchedRows> rows{};  ///< `now` of these says nothing
};

struct TricRowsPoint {
  using Owner = TricSettings;
  using View = TricRowsView;
  using Answer = std::array<TricState, kWatchedRows>;
  static constexpr bool kEndOfCycle = true;
};

}  // namespace heddle
