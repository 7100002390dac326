#pragma once

// Merges the registers of matrix operands into the groups that matrix instructions use. Runs before register
// allocation. PTX lists the registers of an operand one by one, so the front end adds moves before and after
// each matrix instruction.

#include "models/isa/program.h"

namespace heddle::compiler {

/// Renames registers so that a move to or from a group has the same register as source and target. Then removes
/// these moves. The result D of a matrix instruction gets the same group as the operand C, if no later
/// instruction needs the old value of C. Moves that cannot be removed are marked as overhead.
void merge_groups(isa::Program& program);

}  // namespace heddle::compiler
