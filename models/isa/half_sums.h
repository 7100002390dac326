#pragma once

// Sums of half types for who executes no lanes: the atomic unit.

#include <cstdint>

#include "models/isa/types.h"

namespace heddle::isa::lanes::baseline {
/// The sum of two values of f16 or bf16, or of two pairs of them, each rounded once to nearest even.
std::uint32_t add_halves(DataType type, std::uint32_t a, std::uint32_t b);
}  // namespace heddle::isa::lanes::baseline
