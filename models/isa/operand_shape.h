#pragma once

// Number and kinds of operands of each operation. Each instruction is checked against its shape, so that a
// lane function finds all operands that it uses.

#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// One letter for each operand: w = up to 32 bits, d = 64 bits, p = predicate, e = w or d, q = a group of 4 words,
/// o = a group of 8 words.
struct OperandShape {
  std::string destinations;
  std::string sources;
  int optional_destinations = 0;
  int optional_sources = 0;
};

/// Returns the operands of an operation that has a lane function. Throws InternalError for other operations.
OperandShape operand_shape(const Instruction& instruction);

/// Returns an error text such as "source 2 is not a 64-bit operand" if the instruction's operands do not fit
/// its shape. Otherwise returns an empty text.
std::string find_operand_fault(const Instruction& instruction);

}  // namespace heddle::isa
