#pragma once

// Returns scalar types for a given width in bits.

#include "models/isa/types.h"

namespace heddle::isa {

/// Untyped scalar type (b8, b16, b32 or b64) of a width in bits, or DataType::none.
constexpr DataType bit_type(int bits) {
  switch (bits) {
    case 8:
      return DataType::b8;
    case 16:
      return DataType::b16;
    case 32:
      return DataType::b32;
    case 64:
      return DataType::b64;
  }
  return DataType::none;
}

constexpr DataType integer_type(int bits, bool is_signed) {
  switch (bits) {
    case 8:
      return is_signed ? DataType::s8 : DataType::u8;
    case 16:
      return is_signed ? DataType::s16 : DataType::u16;
    case 32:
      return is_signed ? DataType::s32 : DataType::u32;
    case 64:
      return is_signed ? DataType::s64 : DataType::u64;
  }
  return DataType::none;
}

}  // namespace heddle::isa
