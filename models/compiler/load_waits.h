#pragma once

// Counts the instructions at which a warp waits for long-latency loads, with and without the pass
// schedule-loads, which moves loads up. nvcc places the first use of a value directly after its load, because
// the GPU's assembler later moves loads up.

#include "models/compiler/pipeline.h"

namespace heddle::compiler {

struct LoadWaits {
  unsigned listed = 0;     ///< number of instructions at which the compiled program waits for loads
  unsigned scheduled = 0;  ///< like `listed`, for the program compiled with the pass schedule-loads
  /// Share of the waits that the pass schedule-loads removes, from 0 to 1. A wait counts ten times more for
  /// each enclosing loop, up to six loops.
  double share = 0;
};

/// Counts the waits of `compiled`, which must be the result of compile(parsed, parameters). If there are at
/// least two, compiles the program again with schedule-loads and counts the remaining waits.
LoadWaits load_waits(const isa::Program& parsed, const isa::Program& compiled, CompilerParameters parameters);

}  // namespace heddle::compiler
