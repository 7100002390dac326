#pragma once

// Probe points of a tri-modal register file, whose rows are on, drowsy or off. In each cycle, a probe point
// receives how many uses of a row began, how many ended, and the row's state in the next cycle.

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

enum class TricState : std::uint8_t { off, drowsy, waking, on };

struct TricSettings {
  int wake_up_cycles = 3, look_ahead_cycles = 0;
  bool unallocated_off = true;
};

struct TricView {
  Cycle now = 0;
  std::uint32_t begins = 0, ends = 0;
  bool allocated = false, freed = false;
};

struct TricPoint {
  using Owner = TricSettings;
  using View = TricView;
  using Answer = TricState;
  static constexpr bool kEndOfCycle = true;
};

/// Number of rows that the RTL block tric.v models. The four rows share the block's counters.
inline constexpr std::size_t kWatchedRows = 4;
struct TricRowsView {
  Cycle now = 0;
  std::array<TricView, kWatchedRows> rows{};
};

struct TricRowsPoint {
  using Owner = TricSettings;
  using View = TricRowsView;
  using Answer = std::array<TricState, kWatchedRows>;
  static constexpr bool kEndOfCycle = true;
};

}  // namespace heddle
