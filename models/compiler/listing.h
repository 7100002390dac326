#pragma once

// Writes the annotated listing of a compiled program for the command `heddle compile`.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns a short text of the register-hierarchy levels and hints of an instruction's operands. The text is
/// empty if all operands are in the main register file and have no hints. Examples: "d0>o1+m" is a result
/// (destination 0) written to operand entry 1 and to main. "a<lB" is source a read from last-result slot B.
/// "b>o0" is source b read from main, which also fills operand entry 0. "c<o2-3!" is the last read of source
/// c, from the operand entries 2 and 3 of a pair. Hints are "d0 dead" (never read), "d0 long" (long-latency
/// result) and "d0 shared" (read by a shared unit).
std::string level_text(const isa::Instruction& instruction);

/// Returns the listing of a program: a header (kernel, registers, predicates, memory, spills), then each
/// basic block with its loop depth and successors. The line of an instruction shows: index, address, number
/// of live registers and predicates before the instruction, text, reconvergence point, source line, and a
/// mark if a pass added the instruction. The numbers of live registers and predicates are those of one
/// thread. Threads that took another path may need further registers. The numbers for the whole warp then
/// follow in brackets. After the pass "strands", the listing shows where strands begin and end. For each
/// strand and in total, the listing shows the accesses by level of the register hierarchy and the energy
/// saved. These accesses are static: an instruction counts once, however often it executes. The energies are
/// those of access_energy.h for the number of entries that the program uses. Operands above the main level
/// are written as by level_text().
std::string make_listing(const isa::Program& program);

}  // namespace heddle::compiler
