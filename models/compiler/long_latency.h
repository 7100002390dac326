#pragma once

// Which results take so long that a warp gives up its active slot for them.

#include "models/isa/instruction.h"

namespace heddle::compiler {

/// Loads and atomics on global, local or generic memory: what a cache may miss (000, section 3 counts texture
/// operations and global memory; Heddle has no textures; shared memory and every computation, special
/// functions and division included, count as short). The scoreboard classifies alike
/// (models/scheduler/scoreboard.cpp).
inline bool is_long_latency(const isa::Instruction& i) {
  return i.is_memory() && i.num_dst > 0 && i.memory.space != isa::Space::shared &&
         i.memory.space != isa::Space::constant && i.memory.space != isa::Space::param;
}

}  // namespace heddle::compiler
