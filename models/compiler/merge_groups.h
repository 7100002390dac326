#pragma once

// Merges the registers of matrix operands into the groups that the instructions use, before registers are
// allocated. PTX lists the registers of an operand one by one, so that the front end surrounds each matrix
// instruction with moves. A move is unnecessary if its source and its target can be the same word.

#include "models/isa/program.h"

namespace heddle::compiler {

/// Renames registers so that moves to and from groups become moves of a register to itself, and removes these.
/// D becomes the group of C where the old C is not needed any more. Moves of registers that remain are marked as
/// overhead: a register lies in two groups, or at two places of a group. Programs without matrix instructions do
/// not change.
void merge_groups(isa::Program& program);

}  // namespace heddle::compiler
