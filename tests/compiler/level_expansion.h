#pragma once

// Translates a program with register-hierarchy annotations into a program without annotations that computes
// the same results. Every entry becomes a register; reads and writes use the levels of their annotations. A
// register gets poison in two cases. In the first case, a write is not annotated for the register's level of
// the hierarchy. In the second case, the register's entry loses its value at the end of a strand. A wrong
// annotation therefore shows as a wrong result, without the compiler's checker check_levels. At a strand's
// end, only entries of the executing lanes get poison, not the entries of waiting lanes.

#include "models/isa/program.h"

namespace heddle::compiler::test {

isa::Program expand_levels(const isa::Program& annotated);

}  // namespace heddle::compiler::test
