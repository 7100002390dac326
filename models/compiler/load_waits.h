#pragma once

// Counts the places of a listing at which a warp waits for long-latency loads, and how many of them remain if
// independent loads are moved up (pass schedule-loads). nvcc puts each use directly after its load, because
// the assembler of a GPU moves loads up.

#include "models/compiler/pipeline.h"

namespace heddle::compiler {

struct LoadWaits {
  unsigned listed = 0;     ///< instructions of the compiled program that wait for loads before them
  unsigned scheduled = 0;  ///< the same number for the program with the pass schedule-loads
  /// Share of the waits that the pass removes, from 0 to 1. A wait inside a loop counts ten times as much as
  /// a wait outside of it.
  double share = 0;
};

/// `compiled`: the result of compile(parsed, parameters). Compiles the program again if it waits twice or more.
LoadWaits load_waits(const isa::Program& parsed, const isa::Program& compiled, CompilerParameters parameters);

}  // namespace heddle::compiler
