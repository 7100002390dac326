#pragma once

// Whether the control flow of a program may depend on the order of its threads, or on time: then what it counts is not
// fixed by its data.

#include <string>

#include "models/isa/program.h"

namespace heddle::run {

enum class OrderDependence {
  none,    ///< counts are those of any order
  counts,  ///< old values of atomics, volatile or synchronising loads, time or placement steer guards
  waits    ///< ... of a jump back: a warp may wait for other CTAs
};

/// `program`: as parsed; of a compiled one, whose registers hold one value after another, too much would be found.
/// Follows values through registers and predicates, not through memory: what a kernel stores and another loads is data.
OrderDependence order_dependence(const isa::Program& program);

}  // namespace heddle::run
