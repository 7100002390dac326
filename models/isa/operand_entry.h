#pragma once

// Returns the entry of the operand level (an upper level of the register hierarchy) that holds a word of an
// operand. The high word of a 64-bit pair lies OperandAnnotation::slot + 1 entries after the low word.

#include "models/isa/operand.h"

namespace heddle::isa {

constexpr std::uint32_t operand_entry(const OperandAnnotation& annotation, int word) {
  return annotation.entry + static_cast<std::uint32_t>(word) * (1u + annotation.slot);
}

inline std::uint32_t end_of_entries(const Operand& operand) {
  return operand_entry(operand.annotation, operand.words() - 1) + 1;
}

}  // namespace heddle::isa
