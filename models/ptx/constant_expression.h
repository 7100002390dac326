#pragma once

// Evaluates constant expressions of PTX (PTX ISA 4.5): 64-bit integers of type .s64 or .u64 with the
// operators of C, and float literals.

#include <cstdint>

#include "models/ptx/token_cursor.h"

namespace heddle::ptx {

struct ConstantValue {
  enum class Kind : std::uint8_t { integer, float32, float64 };
  Kind kind = Kind::integer;
  bool is_unsigned = false;  ///< The constant is an integer of type .u64 (otherwise .s64).
  std::uint64_t bits = 0;    ///< value of the integer, or bit pattern of the float
};

/// Parses a constant expression, which may be conditional (`a ? b : c`), and returns its value. Throws Error
/// for a division by zero and if the text is no constant expression.
ConstantValue parse_constant(TokenCursor& cursor);

/// Same as parse_constant(), but accepts integers only.
std::int64_t parse_integer_constant(TokenCursor& cursor);

/// Returns true if a constant expression can start with this token.
bool starts_constant(const Token& token);

}  // namespace heddle::ptx
