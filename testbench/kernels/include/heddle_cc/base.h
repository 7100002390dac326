// SPDX-License-Identifier: Apache-2.0
// The base of heddle-cc's headers: qualifiers of CUDA C++, bit patterns, polynomials, and numbers of two
// doubles.
#pragma once

#define HEDDLE_CC_FUNCTION static __device__ __forceinline__
#define HEDDLE_CC_FUNCTION_MEMBER __device__ __forceinline__

namespace heddle_cc {

HEDDLE_CC_FUNCTION unsigned bits(float a) { return __builtin_bit_cast(unsigned, a); }
HEDDLE_CC_FUNCTION unsigned long long bits(double a) { return __builtin_bit_cast(unsigned long long, a); }
HEDDLE_CC_FUNCTION float as_float(unsigned a) { return __builtin_bit_cast(float, a); }
HEDDLE_CC_FUNCTION double as_double(unsigned long long a) { return __builtin_bit_cast(double, a); }

// ex2.approx has an error of 2 units in the last place.
HEDDLE_CC_FUNCTION float approximate_exp2(float a) { return __nvvm_ex2_approx_f(a); }

// Each function is one PTX operation with one rounding.
HEDDLE_CC_FUNCTION float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HEDDLE_CC_FUNCTION double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

HEDDLE_CC_FUNCTION bool not_a_number(float a) { return a != a; }
HEDDLE_CC_FUNCTION bool not_a_number(double a) { return a != a; }
HEDDLE_CC_FUNCTION float infinity_f32() { return as_float(0x7f800000u); }
HEDDLE_CC_FUNCTION double infinity_f64() { return as_double(0x7ff0000000000000ull); }
HEDDLE_CC_FUNCTION float nan_f32() { return as_float(0x7fffffffu); }
HEDDLE_CC_FUNCTION double nan_f64() { return as_double(0xfff8000000000000ull); }
HEDDLE_CC_FUNCTION bool infinite(float a) { return __builtin_fabsf(a) == infinity_f32(); }
HEDDLE_CC_FUNCTION bool infinite(double a) { return __builtin_fabs(a) == infinity_f64(); }

/// Returns c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
template <class T>
HEDDLE_CC_FUNCTION T polynomial(T, T c) {
  return c;
}
template <class T, class... More>
HEDDLE_CC_FUNCTION T polynomial(T x, T c, More... more) {
  return fused(polynomial(x, more...), x, c);
}

/// Returns 2^n, which must be a normal number.
HEDDLE_CC_FUNCTION float power_of_2_f32(int n) { return as_float((unsigned)(n + 127) << 23); }
HEDDLE_CC_FUNCTION double power_of_2_f64(int n) { return as_double((unsigned long long)(n + 1023) << 52); }

/// Returns a * 2^n, with one rounding if the result is subnormal. |n| must be at most 252 (float) or 2044
/// (double), so that 2^(n/2) is a normal number.
HEDDLE_CC_FUNCTION float scaled(float a, int n) {
  const int half = n / 2;
  return a * power_of_2_f32(half) * power_of_2_f32(n - half);
}
HEDDLE_CC_FUNCTION double scaled(double a, int n) {
  const int half = n / 2;
  return a * power_of_2_f64(half) * power_of_2_f64(n - half);
}

/// Returns the high 64 bits of a product.
HEDDLE_CC_FUNCTION unsigned long long high_product(unsigned long long a, unsigned long long b) {
  const unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
  const unsigned long long low = al * bl, first = ah * bl + (low >> 32), second = al * bh + (unsigned)first;
  return ah * bh + (first >> 32) + (second >> 32);
}

/// A number in twice the precision of T: `high` + `low`, where |low| is at most half a unit in the last place of `high`
/// (T. Dekker, Numerische Mathematik 18, 1971). The functions below write every sum and product as a separate
/// statement, so that the compiler does not fuse them.
template <class T>
struct PairOf {
  T high, low;
};
using Pair = PairOf<double>;
using PairF = PairOf<float>;

template <class T>
HEDDLE_CC_FUNCTION PairOf<T> quick_sum(T a, T b) {  // requires |a| >= |b|
  const T high = a + b;
  const T rest = high - a;
  return {high, b - rest};
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> sum(T a, T b) {
  const T high = a + b;
  const T b_part = high - a;
  const T a_part = high - b_part;
  const T b_rest = b - b_part;
  const T a_rest = a - a_part;
  return {high, a_rest + b_rest};
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> product(T a, T b) {
  const T high = a * b;
  return {high, fused(a, b, -high)};
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> sum(PairOf<T> a, T b) {
  const PairOf<T> s = sum(a.high, b);
  return quick_sum(s.high, s.low + a.low);
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> sum(PairOf<T> a, PairOf<T> b) {
  const PairOf<T> s = sum(a.high, b.high);
  const PairOf<T> t = sum(a.low, b.low);
  const PairOf<T> u = quick_sum(s.high, s.low + t.high);
  return quick_sum(u.high, u.low + t.low);
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> negative(PairOf<T> a) {
  return {-a.high, -a.low};
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> product(PairOf<T> a, T b) {
  const PairOf<T> p = product(a.high, b);
  return quick_sum(p.high, fused(a.low, b, p.low));
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> product(PairOf<T> a, PairOf<T> b) {
  const PairOf<T> p = product(a.high, b.high);
  return quick_sum(p.high, fused(a.low, b.high, fused(a.high, b.low, p.low)));
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> quotient(PairOf<T> a, PairOf<T> b) {
  const T first = a.high / b.high;
  const PairOf<T> rest = sum(a, negative(product(b, first)));
  return quick_sum(first, rest.high / b.high);
}
HEDDLE_CC_FUNCTION Pair square_root(Pair a) {
  if (a.high <= 0) return {0, 0};
  const double first = __builtin_sqrt(a.high);
  const Pair rest = sum(a, negative(product(first, first)));
  return quick_sum(first, rest.high / (2 * first));
}
template <class T>
HEDDLE_CC_FUNCTION PairOf<T> scaled(PairOf<T> a, T power) {
  return {a.high * power, a.low * power};
}

}  // namespace heddle_cc
