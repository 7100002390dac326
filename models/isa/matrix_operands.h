#pragma once

// Operands of a matrix instruction, and the generations whose units execute it.

#include <string>
#include <string_view>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Returns true for m8n8k4 of f16, with which each of the four quad pairs of a warp multiplies its own matrices
/// (lanes 0-3 and 16-19, 4-7 and 20-23, ...).
bool multiplies_by_quad_pairs(const Instruction& instruction);

/// Numbers of 32-bit words of the operands of a matrix instruction in each lane.
struct MatrixWords {
  int d = 0, a = 0, b = 0, c = 0;
};
MatrixWords matrix_words(const Instruction& instruction);

/// Returns the reason why units of the generation do not execute the instruction, or an empty text.
std::string_view matrix_refusal(const Instruction& instruction, MatrixGeneration generation);

/// Returns the error text for an instruction that only the lanes `executing` of its warp execute.
std::string partial_warp(const Instruction& instruction, LaneMask executing);

}  // namespace heddle::isa
