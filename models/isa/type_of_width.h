#pragma once

// Scalar types by width in bits.

#include "models/isa/types.h"

namespace heddle::isa {

/// Returns the untyped scalar of a width, or DataType::none if no type has this width.
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
