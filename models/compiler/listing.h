#pragma once

// Writes the annotated listing of a compiled program for the command `heddle compile`.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the register-hierarchy levels and hints of an instruction's operands as text. Empty if all
/// operands are in main and have no hints. "d0>o1+m": result (destination 0) to operand entry 1 and to main.
/// "a<lB": source a from last-result slot B. "b>o0": source b from main, which also fills operand entry 0.
/// "c<o2-3!": last read of source c, from operand entries 2 and 3. Hints: "d0 dead" (never read), "d0 long"
/// (long-latency result), "d0 shared" (read by a shared unit).
std::string level_text(const isa::Instruction& instruction);

/// Text of the instruction's control bits, such as "stall 4 yield write 0 read 1 wait 2 3 reuse a": stall in
/// cycles, counters that the instruction increments (write, read), counters that it waits for, and source
/// operands with a reuse bit.
std::string control_text(const isa::Instruction& instruction);

/// Returns the annotated listing of a program: a header, then each basic block with its loop depth and
/// successors. Numbers of live registers and predicates are those of one thread. If the whole warp needs
/// more, because lanes on other paths hold values, brackets show the warp's numbers. After the pass
/// "strands", the listing shows the strands, with register accesses by level and energy saved.
std::string make_listing(const isa::Program& program);

}  // namespace heddle::compiler
