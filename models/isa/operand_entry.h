#pragma once

// Entry of the operand level that holds a word of an operand (docs/compiler.md). The high word of a pair is
// `slot` + 1 entries after the low word.

#include "models/isa/operand.h"

namespace heddle::isa {

constexpr std::uint32_t operand_entry(const OperandAnnotation& annotation, int word) {
  return annotation.entry + static_cast<std::uint32_t>(word) * (1u + annotation.slot);
}

/// Returns one past the last entry of the operand.
inline std::uint32_t end_of_entries(const Operand& operand) {
  return operand_entry(operand.annotation, operand.words() - 1) + 1;
}

}  // namespace heddle::isa
