#pragma once

// Writes the annotated listing of a compiled program for the command `heddle compile`.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the register-hierarchy levels and hints of an instruction's operands as text. Empty if all
/// operands are in the main register file ("main") and have no hints. "d0>o1+m": result (destination 0) is
/// written to operand entry 1 and to main. "a<lB": source a is read from last-result slot B. "b>o0": source b
/// is read from main and also written to operand entry 0. "c<o2-3!": last read of source c, from operand
/// entries 2 and 3. Hints: "d0 dead" (never read), "d0 long" (long-latency result), "d0 shared" (read by a
/// shared unit).
std::string level_text(const isa::Instruction& instruction);

/// Text of the instruction's control bits, such as "stall 4 yield write 0 read 1 wait 2 3 reuse a". The text
/// lists: the stall in cycles; the counters that the instruction increments (write, read); the counters that it
/// waits for; the source operands with a reuse bit.
std::string control_text(const isa::Instruction& instruction);

/// Returns the annotated listing of a program: a header, then each basic block with its loop depth and
/// successors. The listing shows how many registers and predicates are live in one thread. If more are live in
/// the whole warp, because lanes on other paths hold values, the listing shows the warp's numbers in brackets.
/// After the pass "strands", the listing also shows the strands, with register accesses by level and energy
/// saved.
std::string make_listing(const isa::Program& program);

}  // namespace heddle::compiler
