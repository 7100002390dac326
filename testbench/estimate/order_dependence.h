#pragma once

// Detects whether a program's control flow may depend on the order of its threads or on time. If so,
// instruction counts may differ between runs with the same data.

#include <string>

#include "models/isa/program.h"

namespace heddle::estimate {

enum class OrderDependence {
  none,
  /// A branch condition depends on an old value of an atomic, on a volatile or synchronising load, on time,
  /// or on the SM or warp slot where the warp runs. Instruction counts may then differ between runs.
  counts,
  waits  ///< The condition of a loop depends on such a value, so a warp may wait for other CTAs.
};

/// Returns how the control flow of `program` may depend on the order of threads or on time. `program`: the
/// program before all passes. A compiled program reuses registers, which would give false positives. Values
/// are followed through registers and predicates, not through memory. `reads_known`: true if reads of clocks,
/// SM numbers and warp slots are replayed (isa::MachineReads); these reads then do not count.
OrderDependence order_dependence(const isa::Program& program, bool reads_known = false);

}  // namespace heddle::estimate
