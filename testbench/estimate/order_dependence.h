#pragma once

// Detects whether the control flow of a program may depend on the order of its threads or on time. Its counts
// are then not determined by its data.

#include <string>

#include "models/isa/program.h"

namespace heddle::estimate {

enum class OrderDependence {
  none,    ///< counts are those of any order
  counts,  ///< old values of atomics, volatile or synchronising loads, time or placement control guards
  waits    ///< ... and a jump back: a warp may wait for other CTAs
};

/// `program`: as parsed. A compiled program would give false positives, since its registers are reused.
/// Follows values through registers and predicates, not through memory: a word that one kernel stores and
/// another loads is data.
OrderDependence order_dependence(const isa::Program& program);

}  // namespace heddle::estimate
