#pragma once

// Identifies instructions with a long latency. A two-level scheduler takes a warp that waits for the result
// of such an instruction out of the active set.

#include "models/isa/instruction.h"

namespace heddle::compiler {

/// Returns true for loads and atomics with a long latency. Fences and stores return no result, so nothing
/// waits for them.
inline bool is_long_latency(const isa::Instruction& i) {
  return i.is_memory() && i.num_dst > 0 && isa::has_long_latency(i);
}

}  // namespace heddle::compiler
