#pragma once

// Where the states of the first rows of a tri-modal register file can be looked at, cycle by cycle: what has begun
// and ended in a cycle that is over, and the state of the row in the next one.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

enum class TricState : std::uint8_t { off, drowsy, waking, on };

/// What never changes.
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

}  // namespace heddle
