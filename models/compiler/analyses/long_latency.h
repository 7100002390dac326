#pragma once

// Instructions with a long latency. While a warp waits for their result, a two-level scheduler keeps the warp
// out of the active set.

#include "models/isa/instruction.h"

namespace heddle::compiler {

inline bool is_long_latency(const isa::Instruction& i) {
  return i.is_memory() && i.num_dst > 0 && isa::has_long_latency(i);
}

}  // namespace heddle::compiler
