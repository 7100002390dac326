#pragma once

// Translates a program with register hierarchy annotations into a program without annotations that computes
// the same. Every entry becomes a register, every read reads the level that its annotation names, and every
// write writes the levels that its annotation names. A register is overwritten with poison if a write leaves
// its level out, or if its entry loses the value at a strand end. If an annotation is wrong, the reference
// therefore computes a wrong result from this program, independently of check_levels. A strand end poisons
// only entries of the executing lanes. check_levels and the hardware stages test that waiting lanes also lose
// their entries.

#include "models/isa/program.h"

namespace heddle::compiler::test {

isa::Program expand_levels(const isa::Program& annotated);

}  // namespace heddle::compiler::test
