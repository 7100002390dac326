#pragma once

// Maps registers of lanes to matrix elements. A fragment is the part of a matrix that one lane holds in its
// registers (PTX ISA 9.0, 9.7.14, figures of each shape). A register of 32 bits holds several elements, the
// first in its lowest bits.

#include "models/isa/instruction.h"

namespace heddle::isa::lanes {

/// Position of a matrix element. `quad`: for m8n8k4 of f16, the number of the quad pair (two groups of 4
/// lanes) that holds the element; otherwise 0.
struct MatrixPlace {
  int quad = 0, row = 0, column = 0;
};

/// Return the position of an element of A or of B. The element is number `index` among the elements of A (or
/// B) in the registers of lane `lane`.
MatrixPlace place_in_a(const Instruction& instruction, int lane, int index);
MatrixPlace place_in_b(const Instruction& instruction, int lane, int index);
/// Returns the position of an element of C or D. `type`: type of the elements. For m8n8k4 of f16, the
/// positions depend on this type.
MatrixPlace place_in_c(const Instruction& instruction, DataType type, int lane, int index);

}  // namespace heddle::isa::lanes
