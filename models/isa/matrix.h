#pragma once

// Matrix instructions (mma): D = A x B + C for small matrices (PTX ISA 9.0, 9.7.14). The registers of all
// lanes of a warp hold the elements. A has `rows` rows and `depth` columns, B has `depth` rows and `columns`
// columns. This file also declares the rounding rules of the matrix units of GPU generations (docs/ptx.md).

#include <cstdint>

#include "models/isa/types.h"

namespace heddle::isa {

enum class BitProduct : std::uint8_t { none, and_, xor_ };  ///< operation on the bits of A and B for type b1

/// Shape, types and layouts of a matrix instruction. Instruction::type is the type of D,
/// Instruction::source_type the type of A.
struct MatrixShape {
  std::uint8_t rows = 0;
  std::uint8_t columns = 0;
  std::uint16_t depth = 0;
  DataType b_type = DataType::none;
  DataType c_type = DataType::none;
  BitProduct bits = BitProduct::none;
  /// True, for m8n8k4 of f16: the elements of a lane are a column of A. True, for ldmatrix and stmatrix: the
  /// matrices are transposed (.trans).
  bool a_by_columns = false;
  bool b_by_rows = false;  ///< Only for m8n8k4 of f16: the elements of a lane are a row of B.
  bool operator==(const MatrixShape&) const = default;
};

/// Generation of a matrix unit. The generation determines how many products are summed at once, and how the sum
/// is rounded.
enum class MatrixGeneration : std::uint8_t { volta, turing, ampere, ada, hopper };
constexpr const char* name_of(MatrixGeneration generation) {
  constexpr const char* kNames[] = {"volta", "turing", "ampere", "ada", "hopper"};
  return kNames[static_cast<int>(generation)];
}

/// Least exponent to which a matrix unit aligns the terms of a sum. Publications disagree on this exponent.
enum class ExponentFloor : std::uint8_t {
  none,     ///< no least exponent: the terms are always aligned to their largest exponent
  khattak,  ///< least exponent -132, on Hopper -133; for f16 results -20, on Hopper -21 (Khattak and
            ///< Mikaitis, ACM TACO)
  xie,      ///< least exponent -126 (Xie et al., arXiv 2511.10909)
};
/// Result of an f32 sum that is too large for the format. infinity: the result is infinite. largest: the
/// result is the largest finite number, as in rounding towards zero.
enum class MatrixOverflow : std::uint8_t { infinity, largest };
/// Sign of a zero result. positive: always +0. ieee: -0 if all products and c are -0.
enum class ZeroSign : std::uint8_t { positive, ieee };

struct MatrixRules {
  MatrixGeneration generation = MatrixGeneration::ampere;
  ExponentFloor floor = ExponentFloor::none;
  MatrixOverflow overflow = MatrixOverflow::infinity;
  ZeroSign zero = ZeroSign::positive;
  bool operator==(const MatrixRules&) const = default;
};

}  // namespace heddle::isa
