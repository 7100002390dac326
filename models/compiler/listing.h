#pragma once

// The annotated listing of a program, as `heddle compile` prints it.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Levels above main that an instruction's operands use, and hints: "d0>o1+m" result to operand entry 1 and
/// main, "a<lB" source a from last-result slot B, "b>o0" source b read from main fills entry 0, "c<o2-3!"
/// source c from the entries of a pair, read for the last time; "d0 dead", "d0 long", "d0 shared". Empty
/// without any.
std::string level_text(const isa::Instruction& instruction);

/// A header (kernel, registers, predicates, memory, spills), then each basic block with its loop depth and
/// successors. Each instruction has its index, address, live registers and predicates before it (per thread,
/// and per warp in brackets if that is more), text, reconvergence point, source line, and a mark for code
/// that passes added. With strands: their beginnings and ends, accesses by level and the energy saved, for
/// each strand and in all (each instruction once; energies of access_energy.h for the entries that the
/// program uses), and operands above main in the form of level_text.
std::string make_listing(const isa::Program& program);

}  // namespace heddle::compiler
