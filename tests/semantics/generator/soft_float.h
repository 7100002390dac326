#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>

#include "words.h"

namespace heddle::semantics {

enum class Round { nearest, zero, down, up };

/// An IEEE-754 binary floating-point format.
struct Format {
  int width;
  int precision;
  int exponent_min;  ///< exponent of the least normal number
  int exponent_max;

  std::uint64_t fraction_mask() const { return mask_of(precision - 1); }
  std::uint64_t sign_bit() const { return 1ULL << (width - 1); }
  std::uint64_t infinity() const { return mask_of(width - precision) << (precision - 1); }
  std::uint64_t greatest_finite() const { return infinity() - 1; }
  std::uint64_t one() const { return static_cast<std::uint64_t>(exponent_max) << (precision - 1); }
  /// Returns the NaN that arithmetic returns (PTX: 0x7fffffff for f32, 0x7fff for f16 and bf16).
  std::uint64_t canonical_nan() const { return width == 64 ? 0x7ff8000000000000ULL : mask_of(width - 1); }

  bool is_nan(std::uint64_t bits) const { return (bits & ~sign_bit()) > infinity(); }
  bool is_infinite(std::uint64_t bits) const { return (bits & ~sign_bit()) == infinity(); }
  bool is_zero(std::uint64_t bits) const { return (bits & ~sign_bit()) == 0; }
  bool is_negative(std::uint64_t bits) const { return (bits & sign_bit()) != 0; }
  bool is_subnormal(std::uint64_t bits) const {
    return !is_zero(bits) && (bits & ~sign_bit()) <= fraction_mask();
  }
};

inline constexpr Format f16{16, 11, -14, 15};
inline constexpr Format bf16{16, 8, -126, 127};
inline constexpr Format f32{32, 24, -126, 127};
inline constexpr Format f64{64, 53, -1022, 1023};

/// A finite number. Its precision is so high that sums and products of any three f64 values are exact.
class Real {
 public:
  Real() {
    mpfr_init2(value_, 4608);
    mpfr_set_zero(value_, 1);
  }
  Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  /// `bits` must be neither NaN nor infinite.
  static Real of(const Format& format, std::uint64_t bits);
  static Real of(Int128 integer);

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  int sign() const { return mpfr_sgn(value_); }

 private:
  mpfr_t value_;
};

/// Rounds to a format. If the result overflows, returns infinity or the greatest finite number, depending on
/// `round`. If `negative_zero` is set, a zero result is negative.
std::uint64_t rounded(const Format& format, const Real& x, Round round, bool negative_zero = false);

/// IEEE-754 operations. Every NaN result is the canonical NaN.
std::uint64_t add(const Format& format, std::uint64_t a, std::uint64_t b, Round round);
std::uint64_t subtract(const Format& format, std::uint64_t a, std::uint64_t b, Round round);
std::uint64_t multiply(const Format& format, std::uint64_t a, std::uint64_t b, Round round);
std::uint64_t multiply_add(const Format& format, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                           Round round);
std::uint64_t divide(const Format& format, std::uint64_t a, std::uint64_t b, Round round);
std::uint64_t square_root(const Format& format, std::uint64_t a, Round round);

/// Rounds to an integer in the same format. A zero keeps the sign of `a`.
std::uint64_t integral(const Format& format, std::uint64_t a, Round round);
std::uint64_t converted(const Format& from, std::uint64_t a, const Format& to, Round round);
/// Rounds to an integer, limited to the range of the integer type. NaN gives 0, or 1 << (width - 1) if one of
/// the two types has 64 bits.
std::uint64_t to_integer(const Format& from, std::uint64_t a, int width, bool is_signed, Round round);

std::uint64_t flushed(const Format& format, std::uint64_t a);
std::uint64_t saturated(const Format& format, std::uint64_t a);
std::uint64_t canonical(const Format& format, std::uint64_t a);

/// Returns -1, 0 or 1 if a is less than, equal to or greater than b; 2 if either is NaN.
int compared(const Format& format, std::uint64_t a, std::uint64_t b);

}  // namespace heddle::semantics
