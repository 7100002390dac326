#pragma once

// Constant expressions (PTX ISA 4.5): 64-bit integers, typed .s64 or .u64, with C's operators, and float
// literals.

#include <cstdint>

#include "models/ptx/token_cursor.h"

namespace heddle::ptx {

struct ConstantValue {
  enum class Kind : std::uint8_t { integer, float32, float64 };
  Kind kind = Kind::integer;
  bool is_unsigned = false;  ///< integer typed .u64
  std::uint64_t bits = 0;    ///< the integer, or the bits of the float
};

/// Reads `a ? b : c` and everything that binds tighter; throws Error for what is no constant expression and
/// for a division by zero.
ConstantValue parse_constant(TokenCursor& cursor);

/// As parse_constant, but an integer.
std::int64_t parse_integer_constant(TokenCursor& cursor);

/// Could a constant expression start here?
bool starts_constant(const Token& token);

}  // namespace heddle::ptx
