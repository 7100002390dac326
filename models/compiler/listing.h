#pragma once

// The annotated listing of a program for `heddle compile`.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the levels above main and hints of an instruction's operands; empty if there are none. Examples:
/// "d0>o1+m" is a result written to operand entry 1 and to main. "a<lB" is source a read from last-result
/// slot B. "b>o0" is source b read from main, which fills entry 0. "c<o2-3!" is source c read for the last
/// time, from the entries of a pair. Hints are "d0 dead", "d0 long" and "d0 shared".
std::string level_text(const isa::Instruction& instruction);

/// The listing has a header (kernel, registers, predicates, memory, spills), then each basic block with loop
/// depth and successors. Each instruction has index, address, live registers and predicates before it, text,
/// reconvergence point, source line, and a mark if a pass added it. Live counts are per thread; a larger
/// count per warp follows in brackets. With strands, the listing shows their beginnings and ends, the
/// accesses by level and the energy saved per strand and in total. Each instruction is counted once, with the
/// energies of access_energy.h for the entries that the program uses. Operands above main are in the form of
/// level_text.
std::string make_listing(const isa::Program& program);

}  // namespace heddle::compiler
