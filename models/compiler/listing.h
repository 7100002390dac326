#pragma once

// The annotated listing of a program, as `heddle compile` prints it.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// A header (kernel, registers, predicates, memory, spills), then each basic block with its loop depth and
/// successors and each instruction with index, address, live registers and predicates before it (per thread,
/// and per warp in brackets where that is more), text, reconvergence point, source line, and a mark for what
/// passes added.
std::string make_listing(const isa::Program& program);

}  // namespace heddle::compiler
