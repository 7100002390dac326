#pragma once

// Operands of a matrix instruction, and the generations whose units execute it.

#include <string>
#include <string_view>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Returns true for m8n8k4 of f16. In this shape, each of the four quad pairs of a warp (lanes 0-3 and 16-19,
/// 4-7 and 20-23, ...) multiplies its own matrices.
bool multiplies_by_quad_pairs(const Instruction& instruction);

struct MatrixWords {
  int d = 0, a = 0, b = 0, c = 0;
};
MatrixWords matrix_words(const Instruction& instruction);

/// Returns how many products of two elements a matrix instruction of one warp computes and adds.
int matrix_products(const Instruction& instruction);

/// Returns the reason why matrix units of a generation cannot execute the instruction; empty if they can.
std::string_view matrix_refusal(const Instruction& instruction, MatrixGeneration generation);

/// Returns the PTX name of the operation: ldmatrix or stmatrix for accesses that move matrices.
std::string_view matrix_name(const Instruction& instruction);

/// Returns the error text for a matrix instruction that only a part of its warp executes, although all lanes
/// must. `executing`: the lanes that execute the instruction.
std::string partial_warp(const Instruction& instruction, LaneMask executing);

}  // namespace heddle::isa
