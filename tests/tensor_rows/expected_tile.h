#pragma once

// Computes matrix products from their definition. This code is independent of the timed unit and of the
// reference. Matrices are arrays of bit patterns; fragments() distributes them to the lanes.

#include <cstdint>
#include <random>
#include <vector>

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::tensor_rows {

/// Matrices of one instruction, stored row by row. For m8n8k4 of f16, the matrices of the four quad pairs are
/// stored one after the other.
struct Tile {
  std::vector<std::uint64_t> a, b, c;
};

/// Returns random matrices. `adversarial`: numbers at the limits of the format, numbers with very different
/// exponents, and sums that cancel.
Tile random_tile(const isa::Instruction& form, std::mt19937_64& random, bool adversarial);

std::vector<std::uint64_t> expected(const isa::Instruction& form, const Tile& tile,
                                    isa::MatrixGeneration generation);

/// Returns a matrix in the form in which a warp holds it: element r contains register r of every lane.
/// `operand`: which matrix of the instruction, 'a', 'b', 'c' or 'd'.
std::vector<LaneVec> fragments(const isa::Instruction& form, char operand,
                               const std::vector<std::uint64_t>& matrix);

}  // namespace heddle::tensor_rows
