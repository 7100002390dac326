#pragma once

// Addition of f16 and bf16 values for atomic operations, and their conversion to float for texture look-ups.

#include <cstdint>

#include "models/isa/types.h"

namespace heddle::isa::lanes::baseline {
/// Returns the sum of two f16 or bf16 values, or of two pairs of values. Each sum is rounded once to nearest
/// even.
std::uint32_t add_halves(DataType type, std::uint32_t a, std::uint32_t b);
float value_of_half(std::uint32_t bits);
}  // namespace heddle::isa::lanes::baseline
