#pragma once

// Identifies results for which a warp gives up its active slot, because they take long.

#include "models/isa/instruction.h"

namespace heddle::compiler {

/// True for loads and atomics with a long latency. Fences and stores have no result.
inline bool is_long_latency(const isa::Instruction& i) {
  return i.is_memory() && i.num_dst > 0 && isa::has_long_latency(i);
}

}  // namespace heddle::compiler
