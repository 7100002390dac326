#pragma once

// Turns an annotated program into one without annotations that behaves as the levels would: every entry
// becomes a register of its own, every read reads the level that it names, every write writes the levels that
// it names, and what a level does not get, or loses at a strand end, is overwritten with poison. Run by the
// reference it shows a wrong annotation as a wrong result, whatever check_levels thinks.
// Strand ends poison the entries of the lanes that execute them; that waiting lanes lose theirs too is for
// check_levels and for the hardware stages.

#include "models/isa/program.h"

namespace heddle::compiler::test {

isa::Program expand_levels(const isa::Program& annotated);

}  // namespace heddle::compiler::test
