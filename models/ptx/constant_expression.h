#pragma once

// Evaluates constant expressions of PTX (PTX ISA 4.5). A value is a 64-bit integer of type .s64 or .u64, or a
// float literal. Integers may be combined by the operators of C.

#include <cstdint>

#include "models/ptx/token_cursor.h"

namespace heddle::ptx {

struct ConstantValue {
  enum class Kind : std::uint8_t { integer, float32, float64 };
  Kind kind = Kind::integer;
  bool is_unsigned = false;
  std::uint64_t bits = 0;
};

/// Parses a constant expression (which may contain `a ? b : c`) and returns its value. Throws Error for a
/// division by zero and for any other text.
ConstantValue parse_constant(TokenCursor& cursor);

std::int64_t parse_integer_constant(TokenCursor& cursor);

bool starts_constant(const Token& token);

}  // namespace heddle::ptx
