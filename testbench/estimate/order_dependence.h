#pragma once

// Detects whether a program's control flow may depend on the order of its threads or on time. If so,
// instruction counts may differ between runs with the same data.

#include <string>

#include "models/isa/program.h"

namespace heddle::estimate {

enum class OrderDependence {
  none,
  /// Guards depend on old values of atomics, on volatile or synchronising loads, on time, or on the warp's SM
  /// or warp slot. Instruction counts may then differ between runs.
  counts,
  waits  ///< Loop guards depend on a value listed at `counts`, so a warp may wait for other CTAs.
};

/// `program`: as parsed; a compiled program reuses registers, which would give false positives. Values are
/// followed through registers and predicates, not through memory. `reads_known`: reads of clocks, SM numbers
/// and warp slots do not count, because their values are replayed (isa::MachineReads).
OrderDependence order_dependence(const isa::Program& program, bool reads_known = false);

}  // namespace heddle::estimate
