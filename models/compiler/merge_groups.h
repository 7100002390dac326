#pragma once

// Merges the registers of matrix operands into the groups that matrix instructions use. PTX lists the
// registers of an operand one by one, so the front end adds moves before and after each matrix instruction.
// Runs before register allocation.

#include "models/isa/program.h"

namespace heddle::compiler {

/// Renames registers so that each move to or from a group (the registers of one matrix operand) has the same
/// register as source and target, and then removes these moves. The result D of a matrix instruction gets the
/// same group as the operand C, if no later instruction needs the old value of C. Moves that cannot be
/// removed are marked as overhead.
void merge_groups(isa::Program& program);

}  // namespace heddle::compiler
