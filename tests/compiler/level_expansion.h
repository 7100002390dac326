#pragma once

// Turns an annotated program into a program without annotations that behaves like the levels. Every entry
// becomes a register, every read reads the level that it names, and every write writes the levels that it
// names. Registers of levels that a write leaves out, or that lose their value at a strand end, are
// overwritten with poison. If an annotation is wrong, the reference computes a wrong result from this
// program, independent of check_levels. Strand ends poison only entries of the executing lanes. check_levels
// and the hardware stages test that waiting lanes lose their entries, too.

#include "models/isa/program.h"

namespace heddle::compiler::test {

isa::Program expand_levels(const isa::Program& annotated);

}  // namespace heddle::compiler::test
