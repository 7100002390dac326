#pragma once

// Translates a program with register-hierarchy annotations into a program without annotations that computes
// the same results. Every entry becomes a register; reads and writes use the levels of their annotations. A
// register gets poison if a write leaves its level out, or if its entry loses the value at a strand end. A
// wrong annotation therefore gives a wrong result, independently of check_levels. A strand end poisons only
// entries of the executing lanes, not of waiting lanes.

#include "models/isa/program.h"

namespace heddle::compiler::test {

isa::Program expand_levels(const isa::Program& annotated);

}  // namespace heddle::compiler::test
