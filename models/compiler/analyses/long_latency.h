#pragma once

// Which results take so long that a warp gives up its active slot for them.

#include "models/isa/instruction.h"

namespace heddle::compiler {

/// Loads and atomics with a long latency; fences and stores have no result.
inline bool is_long_latency(const isa::Instruction& i) {
  return i.is_memory() && i.num_dst > 0 && isa::has_long_latency(i);
}

}  // namespace heddle::compiler
