#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::semantics {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t mask_of(int width) { return width >= 64 ? ~0ULL : (1ULL << width) - 1; }

constexpr std::uint64_t truncate(std::uint64_t value, int width) { return value & mask_of(width); }

constexpr std::int64_t sign_extend(std::uint64_t value, int width) {
  const std::uint64_t sign = 1ULL << (width - 1);
  return static_cast<std::int64_t>((truncate(value, width) ^ sign) - sign);
}

/// Returns the low `width` bits of `value` as a signed or unsigned integer.
constexpr Int128 integer_of(std::uint64_t value, int width, bool is_signed) {
  return is_signed ? static_cast<Int128>(sign_extend(value, width))
                   : static_cast<Int128>(truncate(value, width));
}

constexpr Int128 least(int width, bool is_signed) {
  return is_signed ? -(Int128{1} << (width - 1)) : Int128{0};
}

constexpr Int128 greatest(int width, bool is_signed) {
  return (Int128{1} << (is_signed ? width - 1 : width)) - 1;
}

constexpr Int128 clamp_to(Int128 value, int width, bool is_signed) {
  const Int128 low = least(width, is_signed);
  const Int128 high = greatest(width, is_signed);
  return value < low ? low : value > high ? high : value;
}

/// SplitMix64: the same sequence on every host.
class RandomWords {
 public:
  explicit RandomWords(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

}  // namespace heddle::semantics
