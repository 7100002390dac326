#pragma once

// Number and kinds of operands of each operation. Instructions are checked against them, so that a lane
// function never misses an operand.

#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Operands of an operation, as one letter for each: w = up to 32 bits, d = 64 bits, p = predicate, e = w or
/// d.
struct OperandShape {
  std::string destinations;
  std::string sources;
  int optional_destinations = 0;  ///< number of operands at the end of the list that may be missing
  int optional_sources = 0;
};

/// Returns the operands of an operation that has a lane function. Throws InternalError for other operations.
OperandShape operand_shape(const Instruction& instruction);

/// Checks the instruction's operands. Returns an empty text if they fit the shape, otherwise the error (such
/// as "source 2 is not a 64-bit operand").
std::string find_operand_fault(const Instruction& instruction);

}  // namespace heddle::isa
