#pragma once

// Half types for who executes no lanes: the atomic unit, textures.

#include <cstdint>

#include "models/isa/types.h"

namespace heddle::isa::lanes::baseline {
/// The sum of two values of f16 or bf16, or of two pairs of them, each rounded once to nearest even.
std::uint32_t add_halves(DataType type, std::uint32_t a, std::uint32_t b);
/// The value of an f16.
float value_of_half(std::uint32_t bits);
}  // namespace heddle::isa::lanes::baseline
