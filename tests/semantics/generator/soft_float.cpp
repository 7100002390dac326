#include "soft_float.h"

#include <stdexcept>

namespace heddle::semantics {

namespace {

mpfr_rnd_t mpfr_mode(Round round) {
  switch (round) {
    case Round::nearest:
      return MPFR_RNDN;
    case Round::zero:
      return MPFR_RNDZ;
    case Round::down:
      return MPFR_RNDD;
    case Round::up:
      return MPFR_RNDU;
  }
  throw std::logic_error("rounding mode");
}

std::uint64_t overflowed(const Format& format, bool negative, Round round) {
  const bool to_infinity =
      round == Round::nearest || (round == Round::up && !negative) || (round == Round::down && negative);
  const std::uint64_t magnitude = to_infinity ? format.infinity() : format.greatest_finite();
  return magnitude | (negative ? format.sign_bit() : 0);
}

std::uint64_t with_sign(const Format& format, std::uint64_t magnitude, bool negative) {
  return magnitude | (negative ? format.sign_bit() : 0);
}

/// Returns the sign of a sum that is exactly zero. `first`: true if the first term is negative; `second`:
/// true if the second term is negative.
bool zero_sum_is_negative(bool first, bool second, Round round) {
  return first == second ? first : round == Round::down;
}

}  // namespace

Real Real::of(const Format& format, std::uint64_t bits) {
  if (format.is_nan(bits) || format.is_infinite(bits)) throw std::logic_error("not a finite number");
  const std::uint64_t fraction = bits & format.fraction_mask();
  const int field = static_cast<int>((bits & ~format.sign_bit()) >> (format.precision - 1));
  const std::uint64_t significand = field == 0 ? fraction : fraction | (format.fraction_mask() + 1);
  const int exponent = (field == 0 ? 1 : field) - 1 + format.exponent_min - (format.precision - 1);
  Real x;
  mpfr_set_ui_2exp(x.value_, significand, exponent, MPFR_RNDN);
  if (format.is_negative(bits)) mpfr_neg(x.value_, x.value_, MPFR_RNDN);
  return x;
}

Real Real::of(Int128 integer) {
  const bool negative = integer < 0;
  const UInt128 magnitude = negative ? -static_cast<UInt128>(integer) : static_cast<UInt128>(integer);
  Real x;
  mpfr_set_ui_2exp(x.value_, static_cast<std::uint64_t>(magnitude >> 64), 64, MPFR_RNDN);
  mpfr_add_ui(x.value_, x.value_, static_cast<std::uint64_t>(magnitude), MPFR_RNDN);
  if (negative) mpfr_neg(x.value_, x.value_, MPFR_RNDN);
  return x;
}

std::uint64_t rounded(const Format& format, const Real& x, Round round, bool negative_zero) {
  if (x.sign() == 0) return with_sign(format, 0, negative_zero);
  const bool negative = x.sign() < 0;
  const long exponent = std::max<long>(mpfr_get_exp(x.get()) - 1, format.exponent_min);
  if (exponent > format.exponent_max) return overflowed(format, negative, round);
  const long quantum = exponent - (format.precision - 1);
  Real scaled;
  mpfr_mul_2si(scaled.get(), x.get(), -quantum, MPFR_RNDN);
  mpfr_rint(scaled.get(), scaled.get(), mpfr_mode(round));
  mpfr_abs(scaled.get(), scaled.get(), MPFR_RNDN);
  const std::uint64_t significand = mpfr_get_ui(scaled.get(), MPFR_RNDN);
  const std::uint64_t hidden = format.fraction_mask() + 1;
  std::uint64_t magnitude = significand;
  if (significand >= hidden) {
    const auto field = static_cast<std::uint64_t>(exponent - format.exponent_min + 1);
    magnitude = (field << (format.precision - 1)) + (significand - hidden);
  }
  if (magnitude >= format.infinity()) return overflowed(format, negative, round);
  return with_sign(format, magnitude, negative);
}

std::uint64_t add(const Format& format, std::uint64_t a, std::uint64_t b, Round round) {
  return multiply_add(format, a, format.one(), b, round);
}

std::uint64_t subtract(const Format& format, std::uint64_t a, std::uint64_t b, Round round) {
  return add(format, a, b ^ format.sign_bit(), round);
}

std::uint64_t multiply(const Format& format, std::uint64_t a, std::uint64_t b, Round round) {
  if (format.is_nan(a) || format.is_nan(b)) return format.canonical_nan();
  const bool negative = format.is_negative(a) != format.is_negative(b);
  if (format.is_infinite(a) || format.is_infinite(b)) {
    if (format.is_zero(a) || format.is_zero(b)) return format.canonical_nan();
    return with_sign(format, format.infinity(), negative);
  }
  Real product = Real::of(format, a);
  mpfr_mul(product.get(), product.get(), Real::of(format, b).get(), MPFR_RNDN);
  return rounded(format, product, round, negative);
}

std::uint64_t multiply_add(const Format& format, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                           Round round) {
  if (format.is_nan(a) || format.is_nan(b) || format.is_nan(c)) return format.canonical_nan();
  const bool negative = format.is_negative(a) != format.is_negative(b);
  if (format.is_infinite(a) || format.is_infinite(b)) {
    const bool invalid = format.is_zero(a) || format.is_zero(b) ||
                         (format.is_infinite(c) && format.is_negative(c) != negative);
    return invalid ? format.canonical_nan() : with_sign(format, format.infinity(), negative);
  }
  if (format.is_infinite(c)) return c;
  Real sum = Real::of(format, a);
  mpfr_mul(sum.get(), sum.get(), Real::of(format, b).get(), MPFR_RNDN);
  mpfr_add(sum.get(), sum.get(), Real::of(format, c).get(), MPFR_RNDN);
  return rounded(format, sum, round, zero_sum_is_negative(negative, format.is_negative(c), round));
}

std::uint64_t divide(const Format& format, std::uint64_t a, std::uint64_t b, Round round) {
  if (format.is_nan(a) || format.is_nan(b)) return format.canonical_nan();
  const bool negative = format.is_negative(a) != format.is_negative(b);
  if (format.is_infinite(a)) {
    return format.is_infinite(b) ? format.canonical_nan() : with_sign(format, format.infinity(), negative);
  }
  if (format.is_infinite(b)) return with_sign(format, 0, negative);
  if (format.is_zero(b)) {
    return format.is_zero(a) ? format.canonical_nan() : with_sign(format, format.infinity(), negative);
  }
  // Cut the quotient after 4608 bits. An inexact quotient of two significands of at most 53 bits differs from
  // every number and midpoint of the format within fewer bits, so the rounding of the cut quotient is right.
  Real quotient = Real::of(format, a);
  mpfr_div(quotient.get(), quotient.get(), Real::of(format, b).get(), MPFR_RNDZ);
  return rounded(format, quotient, round, negative);
}

std::uint64_t square_root(const Format& format, std::uint64_t a, Round round) {
  if (format.is_nan(a)) return format.canonical_nan();
  if (format.is_zero(a)) return a;
  if (format.is_negative(a)) return format.canonical_nan();
  if (format.is_infinite(a)) return a;
  Real root = Real::of(format, a);
  mpfr_sqrt(root.get(), root.get(), MPFR_RNDZ);
  return rounded(format, root, round);
}

std::uint64_t integral(const Format& format, std::uint64_t a, Round round) {
  if (format.is_nan(a)) return format.canonical_nan();
  if (format.is_infinite(a)) return a;
  Real x = Real::of(format, a);
  mpfr_rint(x.get(), x.get(), mpfr_mode(round));
  return rounded(format, x, Round::zero, format.is_negative(a));
}

std::uint64_t converted(const Format& from, std::uint64_t a, const Format& to, Round round) {
  if (from.is_nan(a)) return to.canonical_nan();
  if (from.is_infinite(a)) return with_sign(to, to.infinity(), from.is_negative(a));
  return rounded(to, Real::of(from, a), round, from.is_negative(a));
}

std::uint64_t to_integer(const Format& from, std::uint64_t a, int width, bool is_signed, Round round) {
  if (from.is_nan(a)) return from.width == 64 || width == 64 ? 1ULL << (width - 1) : 0;
  const Int128 low = least(width, is_signed);
  const Int128 high = greatest(width, is_signed);
  Int128 result = from.is_negative(a) ? low : high;
  if (!from.is_infinite(a)) {
    Real x = Real::of(from, a);
    mpfr_rint(x.get(), x.get(), mpfr_mode(round));
    const bool in_range =
        mpfr_cmp(x.get(), Real::of(low).get()) >= 0 && mpfr_cmp(x.get(), Real::of(high).get()) <= 0;
    if (in_range) {
      result = x.sign() < 0 ? static_cast<Int128>(mpfr_get_si(x.get(), MPFR_RNDN))
                            : static_cast<Int128>(mpfr_get_ui(x.get(), MPFR_RNDN));
    }
  }
  return truncate(static_cast<std::uint64_t>(result), width);
}

std::uint64_t flushed(const Format& format, std::uint64_t a) {
  return format.is_subnormal(a) ? a & format.sign_bit() : a;
}

std::uint64_t saturated(const Format& format, std::uint64_t a) {
  if (format.is_nan(a) || format.is_negative(a)) return 0;
  return std::min(a, format.one());
}

std::uint64_t canonical(const Format& format, std::uint64_t a) {
  return format.is_nan(a) ? format.canonical_nan() : a;
}

int compared(const Format& format, std::uint64_t a, std::uint64_t b) {
  if (format.is_nan(a) || format.is_nan(b)) return 2;
  const auto key = [&](std::uint64_t bits) {
    const auto magnitude = static_cast<Int128>(bits & ~format.sign_bit());
    return format.is_negative(bits) ? -magnitude : magnitude;
  };
  const Int128 difference = key(a) - key(b);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

}  // namespace heddle::semantics
