#pragma once

// Merges the registers of matrix operands into the groups that matrix instructions use. Runs before register
// allocation. PTX lists the registers of an operand one by one, so the front end adds moves before and after
// each matrix instruction. A move is unnecessary if its source and its target can be the same word.

#include "models/isa/program.h"

namespace heddle::compiler {

/// Renames registers so that moves to and from groups become moves of a register to itself, and removes these
/// moves. D becomes the group of C if no later instruction needs the old C. The remaining moves are marked as
/// overhead: their register is in two groups, or at two places of a group. Programs without matrix
/// instructions do not change.
void merge_groups(isa::Program& program);

}  // namespace heddle::compiler
