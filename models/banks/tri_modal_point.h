#pragma once

// Probe points for the states of the first rows of a tri-modal register file. After each cycle they report
// the uses that began and ended in the cycle, and the state of the row in the next cycle.

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

enum class TricState : std::uint8_t { off, drowsy, waking, on };

/// Parameters of the policy.
struct TricSettings {
  int wake_up_cycles = 3, look_ahead_cycles = 0;
  bool unallocated_off = true;
};

struct TricView {
  Cycle now = 0;
  std::uint32_t begins = 0, ends = 0;  ///< uses of the row that begin and end in the cycle
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
  std::array<TricView, kWatchedRows> rows{};  ///< `now` of the elements is unused
};

struct TricRowsPoint {
  using Owner = TricSettings;
  using View = TricRowsView;
  using Answer = std::array<TricState, kWatchedRows>;
  static constexpr bool kEndOfCycle = true;
};

}  // namespace heddle
