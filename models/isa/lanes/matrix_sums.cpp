#include "models/isa/lanes/matrix_sums.h"

#include <algorithm>
#include <bit>

namespace heddle::isa::lanes {
namespace {

using Kind = MatrixTerm::Kind;

/// Widths in bits of the fields of a floating-point format. `has_infinity`: an exponent of all ones means
/// infinity or NaN. If false (e4m3): a value is NaN only if all bits of exponent and fraction are ones.
struct Format {
  int fraction, exponent;
  bool has_infinity = true;
  int bias() const { return (1 << (exponent - 1)) - 1; }
};

Format format_of(DataType type) {
  switch (type) {
    case DataType::f16:
      return {10, 5};
    case DataType::bf16:
      return {7, 8};
    case DataType::e4m3:
      return {3, 4, false};
    case DataType::e5m2:
      return {2, 5};
    default:
      return {23, 8};
  }
}

constexpr int kNoFloor = -100'000;

int least_top(const MatrixRules& rules, DataType result) {
  const bool hopper = rules.generation == MatrixGeneration::hopper;
  switch (rules.floor) {
    case ExponentFloor::khattak:
      return (result == DataType::f16 ? -20 : -132) - (hopper ? 1 : 0);
    case ExponentFloor::xie:
      return -126;
    case ExponentFloor::none:
      break;
  }
  return kNoFloor;
}

std::int64_t shifted(std::int64_t significand, int left) {
  if (left >= 0) return significand << left;
  if (left <= -63) return 0;
  const std::int64_t size = significand < 0 ? -significand : significand;
  return significand < 0 ? -(size >> -left) : size >> -left;
}

std::uint32_t nan_of(DataType result) { return result == DataType::f16 ? 0x7fffu : 0x7fffffffu; }

/// Returns `value` x 2^`unit` in the format of the result. `negative`: sign of a zero result.
std::uint32_t encode(std::int64_t value, int unit, bool negative, const SumRule& rule, DataType result) {
  const Format format = format_of(result);
  const std::uint32_t sign = (value < 0 || (value == 0 && negative) ? 1u : 0u)
                             << (format.fraction + format.exponent);
  std::uint64_t size = value < 0 ? static_cast<std::uint64_t>(-value) : static_cast<std::uint64_t>(value);
  if (size == 0) return sign;
  const int top = static_cast<int>(std::bit_width(size)) - 1 + unit;
  const int kept = rule.round_to_nearest ? format.fraction : rule.result_bits;
  const int smallest = 1 - format.bias();
  int last = std::max(top - kept, smallest - format.fraction);
  const int drop = last - unit;
  if (drop > 62) {
    size = 0;
  } else if (drop > 0) {
    const std::uint64_t rest = size & ((std::uint64_t{1} << drop) - 1), half = std::uint64_t{1} << (drop - 1);
    size >>= drop;
    if (rule.round_to_nearest && (rest > half || (rest == half && (size & 1u)))) ++size;
  } else {
    last = unit;
  }
  if (size == 0) return sign;
  const int exponent = static_cast<int>(std::bit_width(size)) - 1 + last;
  const int place = std::max(exponent, smallest) - format.fraction;
  size = last >= place ? size << (last - place) : size >> (place - last);
  if (exponent > format.bias()) {
    const std::uint32_t infinity = ((1u << format.exponent) - 1) << format.fraction;
    const bool largest = !rule.round_to_nearest && rule.overflow == MatrixOverflow::largest;
    return sign | (largest ? infinity - 1 : infinity);
  }
  const std::uint32_t biased =
      exponent < smallest ? 0u : static_cast<std::uint32_t>(exponent + format.bias());
  return sign | biased << format.fraction |
         (static_cast<std::uint32_t>(size) & ((1u << format.fraction) - 1));
}

/// Returns the bits of the sum of all products and c if a factor or c is infinite or NaN; -1 if all are
/// finite.
std::int64_t special_sum(const MatrixTerm* a, const MatrixTerm* b, int count, const MatrixTerm& c,
                         DataType result) {
  bool positive = false, negative = false;
  const auto note = [&](bool sign) { (sign ? negative : positive) = true; };
  for (int i = 0; i < count; ++i) {
    if (a[i].kind == Kind::finite && b[i].kind == Kind::finite) continue;
    if (a[i].kind == Kind::nan || b[i].kind == Kind::nan) return nan_of(result);
    const bool zero = (a[i].kind == Kind::finite && a[i].significand == 0) ||
                      (b[i].kind == Kind::finite && b[i].significand == 0);
    if (zero) return nan_of(result);
    note(a[i].negative != b[i].negative);
  }
  if (c.kind == Kind::nan) return nan_of(result);
  if (c.kind == Kind::infinite) note(c.negative);
  if (positive && negative) return nan_of(result);
  if (!positive && !negative) return -1;
  const Format format = format_of(result);
  return (negative ? 1u << (format.fraction + format.exponent) : 0u) | ((1u << format.exponent) - 1)
                                                                           << format.fraction;
}

}  // namespace

MatrixTerm matrix_term(std::uint32_t bits, DataType type) {
  const Format format = format_of(type);
  if (type == DataType::tf32) bits &= ~0x1fffu;
  const std::uint32_t ones = (1u << format.exponent) - 1;
  const std::uint32_t biased = bits >> format.fraction & ones;
  const std::uint32_t low = bits & ((1u << format.fraction) - 1);
  MatrixTerm term{};
  term.negative = (bits >> (format.fraction + format.exponent) & 1u) != 0;
  if (biased == ones && (format.has_infinity || low == (1u << format.fraction) - 1)) {
    term.kind = format.has_infinity && low == 0 ? Kind::infinite : Kind::nan;
    return term;
  }
  term.significand = biased == 0 ? low : low | 1u << format.fraction;
  if (term.negative) term.significand = -term.significand;
  term.top = std::max<int>(static_cast<int>(biased), 1) - format.bias();
  term.exponent = term.top - format.fraction;
  return term;
}

SumRule sum_rule(const MatrixRules& rules, DataType type, DataType result) {
  // Properties of the matrix units of each generation (index: MatrixGeneration). kGroup: number of f16 or
  // bf16 products that are summed at once. kFraction: number of fraction bits to which each term is
  // truncated. For Turing, the number of products is known for f16 only. Volta and Turing units do not
  // compute bf16; the table assumes the numbers of f16 for it.
  constexpr int kGroup[] = {4, 8, 8, 8, 16}, kFraction[] = {23, 24, 24, 24, 25};
  const auto generation = static_cast<std::size_t>(rules.generation);
  SumRule rule;
  rule.group = kGroup[generation];
  rule.fraction_bits = kFraction[generation];
  rule.result_bits = 23;
  if (type == DataType::tf32) rule.group /= 2;
  if (type == DataType::e4m3 || type == DataType::e5m2) {
    // 8-bit floats. On Hopper, the rule of the warp-group instruction (wgmma) is assumed to hold for mma too.
    rule.group = rules.generation == MatrixGeneration::hopper ? 32 : 16;
    rule.fraction_bits = rule.result_bits = 13;
  }
  rule.least_top = least_top(rules, result);
  rule.round_to_nearest = result == DataType::f16;
  rule.overflow = rules.overflow;
  rule.zero = rules.zero;
  return rule;
}

std::uint32_t sum_of_group(const MatrixTerm* a, const MatrixTerm* b, int count, const MatrixTerm& c,
                           const SumRule& rule, DataType result) {
  int top = rule.least_top;
  bool any = false, special = c.kind != Kind::finite, all_negative = c.negative;
  for (int i = 0; i < count; ++i) {
    special = special || a[i].kind != Kind::finite || b[i].kind != Kind::finite;
    all_negative = all_negative && a[i].negative != b[i].negative;
    if (a[i].significand == 0 || b[i].significand == 0) continue;
    top = std::max(top, a[i].top + b[i].top);
    any = true;
  }
  if (special)
    if (const std::int64_t bits = special_sum(a, b, count, c, result); bits >= 0)
      return static_cast<std::uint32_t>(bits);
  if (c.significand != 0) {
    top = std::max(top, c.top);
    any = true;
  }
  const bool negative_zero = rule.zero == ZeroSign::ieee && all_negative;
  if (!any) return encode(0, 0, negative_zero, rule, result);
  const int unit = top - rule.fraction_bits;
  std::int64_t sum = shifted(c.significand, c.exponent - unit);
  for (int i = 0; i < count; ++i)
    sum += shifted(a[i].significand * b[i].significand, a[i].exponent + b[i].exponent - unit);
  return encode(sum, unit, negative_zero && sum == 0, rule, result);
}

}  // namespace heddle::isa::lanes
