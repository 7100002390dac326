#pragma once

// Operands that an operation has, so that a lane function never receives an operation with a missing one.

#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// One letter an operand: w up to 32 bits, d 64 bits, p predicate, e either w or d.
struct OperandShape {
  std::string destinations;
  std::string sources;
  int optional_destinations = 0;  ///< so many of the last may be missing
  int optional_sources = 0;
};

/// The shape of every operation that has a lane function. Throws InternalError for others.
OperandShape operand_shape(const Instruction& instruction);

/// Empty, or what is wrong with the operands ("source 2 is not a 64-bit operand").
std::string find_operand_fault(const Instruction& instruction);

}  // namespace heddle::isa
