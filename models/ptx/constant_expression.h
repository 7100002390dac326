#pragma once

// Constant expressions (PTX ISA 4.5): 64-bit integers of type .s64 or .u64 with the operators of C, and float
// literals.

#include <cstdint>

#include "models/ptx/token_cursor.h"

namespace heddle::ptx {

struct ConstantValue {
  enum class Kind : std::uint8_t { integer, float32, float64 };
  Kind kind = Kind::integer;
  bool is_unsigned = false;  ///< the integer has type .u64
  std::uint64_t bits = 0;    ///< value of the integer, or bits of the float
};

/// Parses a conditional expression `a ? b : c` or an operand of one. Throws Error if the text is no constant
/// expression, and for a division by zero.
ConstantValue parse_constant(TokenCursor& cursor);

/// As parse_constant, for integers only.
std::int64_t parse_integer_constant(TokenCursor& cursor);

/// True if a constant expression can start with this token.
bool starts_constant(const Token& token);

}  // namespace heddle::ptx
