#pragma once

// Detects whether the control flow of a program may depend on the order of its threads or on time. The data
// then does not determine the program's counts.

#include <string>

#include "models/isa/program.h"

namespace heddle::estimate {

enum class OrderDependence {
  none,    ///< The counts of instructions are equal for any order of CTAs.
  counts,  ///< Guards of instructions depend on old values of atomics, on volatile or synchronising loads, on time, or on the SM or slot where a warp runs.
  waits    ///< Guards of loops depend on these values too, so a warp may wait for other CTAs.
};

/// `program`: as parsed. A compiled program reuses registers, so it would give false positives. Values are
/// followed through registers and predicates but not through memory: a word that one kernel stores and
/// another kernel loads counts as data. `reads_known`: the values of clocks and of warps' positions are given
/// (isa::MachineReads). Reads of clocks and positions then do not count.
OrderDependence order_dependence(const isa::Program& program, bool reads_known = false);

}  // namespace heddle::estimate
