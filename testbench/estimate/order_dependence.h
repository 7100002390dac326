#pragma once

// Detects whether the control flow of a program may depend on the order of its threads or on time. The data
// then does not determine the program's counts.

#include <string>

#include "models/isa/program.h"

namespace heddle::estimate {

enum class OrderDependence {
  none,  ///< counts are equal for any order
  counts,  ///< guards depend on old values of atomics, on volatile or synchronising loads, or on time or placement
  waits  ///< as `counts`, and loops too: a warp may wait for other CTAs
};

/// `program`: as parsed. A compiled program reuses registers, which would give false positives. Values are
/// followed through registers and predicates but not through memory: a word that one kernel stores and
/// another loads is data.
/// `reads_known`: the values of clocks and places are given (isa::MachineReads), and are no source.
OrderDependence order_dependence(const isa::Program& program, bool reads_known = false);

}  // namespace heddle::estimate
