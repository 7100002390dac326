#pragma once

// The number and kinds of operands of each operation. Checking them guarantees that a lane function never
// misses an operand.

#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// One letter per operand: w = up to 32 bits, d = 64 bits, p = predicate, e = w or d.
struct OperandShape {
  std::string destinations;
  std::string sources;
  int optional_destinations = 0;  ///< number of operands that may be missing at the end
  int optional_sources = 0;
};

/// Returns the shape of an operation that has a lane function. Throws InternalError for other operations.
OperandShape operand_shape(const Instruction& instruction);

/// Returns an empty text if the operands fit the shape, otherwise the error ("source 2 is not a 64-bit
/// operand").
std::string find_operand_fault(const Instruction& instruction);

}  // namespace heddle::isa
