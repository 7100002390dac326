#pragma once

// Dot products as matrix units compute them. A unit sums a group of exact, unnormalised products and the
// accumulator at once. Each term is shifted to the largest exponent and truncated to a number of fraction
// bits; the sum of these terms is exact. The next group continues with the rounded result (Khattak and
// Mikaitis, ACM TACO, doi 10.1145/3830409; Xie et al., arXiv 2511.10909).

#include <cstdint>

#include "models/isa/matrix.h"

namespace heddle::isa::lanes {

/// A floating-point number as an integer significand and the exponent of its last bit.
struct MatrixTerm {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  std::int64_t significand;  ///< signed significand
  int exponent;              ///< exponent of the last bit of the significand
  /// exponent of the significand's bit of weight 1; the significand need not be normalised
  int top;
  Kind kind;
  bool negative;  ///< sign of the number; set for zeros and infinities too
};

/// Splits the bits of a number of type `type` into significand and exponent. Drops the 13 low bits of a tf32
/// number.
MatrixTerm matrix_term(std::uint32_t bits, DataType type);

/// Rule by which a matrix unit computes a sum of products of given types.
struct SumRule {
  int group = 0;  ///< number of products that are summed at once with the accumulator
  /// Number of fraction bits to which each term is truncated, counted from the largest exponent.
  int fraction_bits = 0;
  int result_bits = 0;  ///< number of fraction bits of f32 results; fewer than 23 only for 8-bit floats
  int least_top = 0;    ///< least exponent to which the terms of a sum are aligned
  bool round_to_nearest = false;  ///< true: to nearest, for f16 results; false: truncate, for f32 results
  MatrixOverflow overflow = MatrixOverflow::infinity;
  ZeroSign zero = ZeroSign::positive;
};
/// Returns the rule for sums of products with A of type `type` and D of type `result` (f32 or f16).
SumRule sum_rule(const MatrixRules& rules, DataType type, DataType result);

/// Returns the bits of the sum of `count` products a[i] x b[i] and the accumulator, in the format `result`.
std::uint32_t sum_of_group(const MatrixTerm* a, const MatrixTerm* b, int count, const MatrixTerm& accumulator,
                           const SumRule& rule, DataType result);

}  // namespace heddle::isa::lanes
