#pragma once

// Detects whether a program's control flow may depend on the order of its threads or on time, so that the
// data does not determine the program's counts.

#include <string>

#include "models/isa/program.h"

namespace heddle::estimate {

enum class OrderDependence {
  none,
  /// Guards depend on old values of atomics, volatile or synchronising loads, time, or the warp's SM or slot,
  /// so instruction counts may differ.
  counts,
  waits  ///< Loop guards depend on such values, so a warp may wait for other CTAs.
};

/// `program`: as parsed; a compiled program reuses registers and would give false positives. Values are
/// followed through registers and predicates, not through memory. `reads_known`: reads of clocks and warp
/// positions are replayed (isa::MachineReads) and do not count.
OrderDependence order_dependence(const isa::Program& program, bool reads_known = false);

}  // namespace heddle::estimate
