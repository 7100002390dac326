// Tests arithmetic of single values and pairs of f16 and bf16. Results for single values are compared with
// exact integer arithmetic, results for pairs with those for single values.

#include <cmath>
#include <functional>

#include "tests/isa/exact_halves.h"
#include "tests/isa/lane_runner.h"
#include "tests/support/dice.h"

namespace heddle::isa::test {
namespace {

using fuzz::Dice;
using lanes::LaneSet;

constexpr int kRandomBatches = 120;

/// Returns a random bit pattern, or a number near which the arithmetic changes its behaviour (such as
/// infinity or the least normal number).
std::uint32_t operand(Dice& dice, const HalfFormat& f) {
  const std::uint32_t one = static_cast<std::uint32_t>(f.bias) << f.fraction_bits;
  const std::uint32_t normal = 1u << f.fraction_bits;
  const std::uint32_t special[] = {0,
                                   1,
                                   2,
                                   3,
                                   normal - 1,
                                   normal,
                                   normal + 1,
                                   one - 1,
                                   one,
                                   one + 1,
                                   f.infinity() - 1,
                                   f.infinity(),
                                   f.infinity() + 1,
                                   0x7fff,
                                   one + normal,
                                   one - normal * static_cast<std::uint32_t>(f.fraction_bits + 1)};
  const std::uint32_t sign = dice.chance(50) ? 0x8000u : 0u;
  if (dice.chance(25)) return special[dice.pick(static_cast<int>(std::size(special)))] | sign;
  if (dice.chance(40))
    return (one + static_cast<std::uint32_t>(dice.pick(6 * static_cast<int>(normal))) - 3 * normal) | sign;
  return static_cast<std::uint32_t>(dice.pick(0x10000));
}

/// an operation whose exact result is a * b + c; expected() computes it with integers and rounds it once
struct Operation {
  Opcode op;
  int sources;
};
std::uint32_t expected(const HalfFormat& f, const Operation& operation, const Modifiers& m,
                       const std::uint32_t* in) {
  std::uint32_t x[3];
  double v[3];
  for (int k = 0; k < 3; ++k) {
    x[k] = k < operation.sources ? (m.ftz ? f.flushed(in[k]) : in[k]) : 0u;
    v[k] = f.value(x[k]);
  }
  if (operation.op == Opcode::sub) {
    x[1] ^= 0x8000u;
    v[1] = -v[1];
  }
  // the expected value of every operation is computed as a * b + c
  const std::uint32_t one = static_cast<std::uint32_t>(f.bias) << f.fraction_bits;
  const bool sums = operation.op == Opcode::add || operation.op == Opcode::sub;
  const std::uint32_t a = x[0], b = sums ? one : x[1], c = sums ? x[1] : x[2];
  const bool negative_product = ((a ^ b) & 0x8000u) != 0;
  const double special = f.value(a) * f.value(b) + (operation.op == Opcode::mul ? 0.0 : f.value(c));
  std::uint32_t result;
  if (!std::isfinite(f.value(a)) || !std::isfinite(f.value(b)) || !std::isfinite(f.value(c))) {
    result = f.rounded(special, Rounding::rn);
  } else {
    const Exact product = exact(f.value(a)) * exact(f.value(b)) >> 300;
    // Each factor is a multiple of 2^-133, so the shift by 300 bits cuts off no bit of the product.
    const Exact sum = product + (operation.op == Opcode::mul ? Exact(0) : exact(f.value(c)));
    const bool negative_zero = negative_product && (operation.op == Opcode::mul || (c & 0x8000u) != 0);
    result = f.rounded(sum, Rounding::rn, negative_zero);
    // Flush an f16 result if it would be less than 2^-14, the least normal number, after rounding to 11 bits.
    const Exact size = sum < Exact(0) ? -sum : sum;
    if (m.ftz && size < exact(0x1p-14 * (1 - 0x1p-12))) result &= 0x8000u;
  }
  if (m.ftz) result = f.flushed(result);
  if (m.sat) return f.is_nan(result) || (result & 0x8000u) != 0 ? 0 : std::min(result, one);
  if (m.relu && !f.is_nan(result) && (result & 0x8000u) != 0) return 0;
  return result;
}

std::vector<Modifiers> shapes_of(const HalfFormat& f, Opcode op) {
  std::vector<Modifiers> all(1);
  if (f.type == DataType::f16) {
    for (const bool ftz : {false, true})
      for (const bool sat : {false, true}) {
        Modifiers m;
        m.ftz = ftz;
        m.sat = sat;
        if (ftz || sat) all.push_back(m);
      }
  }
  if (op == Opcode::fma) {
    Modifiers m;
    m.relu = true;
    all.push_back(m);
  }
  for (Modifiers& m : all) m.rounding = Rounding::rn;
  return all;
}

DataType pair_of(DataType t) { return t == DataType::f16 ? DataType::f16x2 : DataType::bf16x2; }

/// Executes random operands with every implementation of the lane functions (one for each class of host
/// processors). Each operand is used twice: as a single value, and as half of a pair. `want` returns the
/// expected result.
void check_form(const HalfFormat& f, Opcode op, int sources, const Modifiers& m,
                const std::function<std::uint32_t(const std::uint32_t*)>& want) {
  Dice dice(17);
  LaneRunner single(op, f.type, m), pair(op, pair_of(f.type), m);
  for (int batch = 0; batch < kRandomBatches; ++batch) {
    std::uint32_t in[kLanes][2][3] = {};
    for (int lane = 0; lane < kLanes; ++lane)
      for (int k = 0; k < sources; ++k) {
        for (auto& value : in[lane]) value[k] = operand(dice, f);
        single.set_source(k, lane, in[lane][0][k]);
        pair.set_source(k, lane, in[lane][0][k] | in[lane][1][k] << 16);
      }
    for (const LaneSet set : {LaneSet::baseline, LaneSet::avx2}) {
      if (!lanes::host_supports(set)) continue;
      ASSERT_TRUE(single.run(set) && pair.run(set)) << to_string(single.instruction());
      for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t low = want(in[lane][0]), high = want(in[lane][1]);
        ASSERT_EQ(single.result(lane), low)
            << to_string(single.instruction()) << std::hex << " " << in[lane][0][0] << " " << in[lane][0][1]
            << " " << in[lane][0][2];
        ASSERT_EQ(pair.result(lane), low | high << 16) << to_string(pair.instruction());
      }
    }
  }
}

TEST(Halves, ArithmeticRoundsTheExactResultOnce) {
  for (const HalfFormat* f : {&kF16, &kBf16})
    for (const Operation& o :
         {Operation{Opcode::add, 2}, {Opcode::sub, 2}, {Opcode::mul, 2}, {Opcode::fma, 3}})
      for (const Modifiers& m : shapes_of(*f, o.op))
        check_form(*f, o.op, o.sources, m, [&](const std::uint32_t* in) { return expected(*f, o, m, in); });
}

// The product is the midpoint of two neighbouring bf16 numbers, and a much smaller addend decides to which of
// them the sum is rounded. An implementation in double precision would round twice and be wrong.
TEST(Halves, TiesThatATinyAddendBreaksAreRoundedOnce) {
  const auto fma = [](DataType t, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Modifiers m;
    m.rounding = Rounding::rn;
    return compute(LaneRunner(Opcode::fma, t, m), {a, b, c});
  };
  // 7/4 * 37/32 = 2 + 3/128 is the midpoint of 2 + 1/64 and 2 + 2/64, which are neighbours in bf16.
  EXPECT_EQ(fma(DataType::bf16, 0x3fe0, 0x3f94, 0x0000), 0x4002u);
  EXPECT_EQ(fma(DataType::bf16, 0x3fe0, 0x3f94, 0x0001), 0x4002u);
  EXPECT_EQ(fma(DataType::bf16, 0x3fe0, 0x3f94, 0x8001), 0x4001u);
  EXPECT_EQ(fma(DataType::bf16, 0xbfe0, 0x3f94, 0x0001), 0xc001u);
}

TEST(Halves, ExtremesOrderZerosAndTreatNansAsAsked) {
  for (const HalfFormat* f : {&kF16, &kBf16})
    for (const bool least : {true, false})
      for (int flags = 0; flags < (f == &kF16 ? 4 : 2); ++flags) {
        Modifiers m;
        m.propagate_nan = flags & 1;
        m.ftz = flags & 2;
        check_form(*f, least ? Opcode::min : Opcode::max, 2, m,
                   [&](const std::uint32_t* in) -> std::uint32_t {
                     const std::uint32_t a = m.ftz ? f->flushed(in[0]) : in[0],
                                         b = m.ftz ? f->flushed(in[1]) : in[1];
                     if (f->is_nan(a) || f->is_nan(b)) {
                       if (m.propagate_nan || (f->is_nan(a) && f->is_nan(b))) return 0x7fff;
                       return f->is_nan(a) ? b : a;
                     }
                     // -0 ranks below +0, as in min and max.
                     const auto rank = [](std::uint32_t v) {
                       return (v & 0x8000u) != 0 ? -1 - static_cast<int>(v & 0x7fff) : static_cast<int>(v);
                     };
                     return (rank(a) < rank(b)) == least ? a : b;
                   });
      }
}

TEST(Halves, SignsOfAllValues) {
  for (const HalfFormat* f : {&kF16, &kBf16})
    for (const Opcode op : {Opcode::abs, Opcode::neg})
      for (const bool ftz : {false, true}) {
        if (ftz && f == &kBf16) continue;
        Modifiers m;
        m.ftz = ftz;
        LaneRunner single(op, f->type, m), pair(op, pair_of(f->type), m);
        for (std::uint32_t v = 0; v < 0x10000; v += kLanes) {
          for (std::uint32_t k = 0; k < kLanes; ++k) {
            single.set_source(0, static_cast<int>(k), v + k);
            pair.set_source(0, static_cast<int>(k), 0x5a5a0000u | (v + k));
          }
          ASSERT_TRUE(single.run(chosen_set()) && pair.run(chosen_set()));
          for (std::uint32_t k = 0; k < kLanes; ++k) {
            const std::uint32_t in = ftz ? f->flushed(v + k) : v + k;
            const std::uint32_t number = op == Opcode::abs ? in & 0x7fff : in ^ 0x8000;
            const std::uint32_t want = f->is_nan(in) ? 0x7fff : number;
            ASSERT_EQ(single.result(static_cast<int>(k)), want);
            ASSERT_EQ(pair.result(static_cast<int>(k)),
                      (op == Opcode::abs ? 0x5a5a0000u : 0xda5a0000u) | want);
          }
        }
      }
}

/// Returns the largest error of `op` over all values of the format, in units of the last place.
double largest_error(const HalfFormat& f, Opcode op, bool ftz, double (*function)(double)) {
  Modifiers m;
  m.approx = true;
  m.ftz = ftz;
  LaneRunner form(op, f.type, m);
  double worst = 0;
  for (std::uint32_t first = 0; first < 0x10000; first += kLanes) {
    for (std::uint32_t k = 0; k < kLanes; ++k) form.set_source(0, static_cast<int>(k), first + k);
    EXPECT_TRUE(form.run(chosen_set()));
    for (std::uint32_t k = 0; k < kLanes; ++k) {
      const std::uint32_t in = ftz ? f.flushed(first + k) : first + k;
      const auto got = static_cast<std::uint32_t>(form.result(static_cast<int>(k)));
      const double want = function(f.value(in));
      const std::uint32_t near =
          ftz ? f.flushed(f.rounded(want, Rounding::rn)) : f.rounded(want, Rounding::rn);
      if (f.is_nan(near) || f.is_infinite(near) || near == 0 ||
          (ftz && want < f.value(1u << f.fraction_bits))) {
        EXPECT_EQ(got, near) << std::hex << in;
        continue;
      }
      const int exponent = std::max(std::ilogb(want), 1 - f.bias);
      worst = std::max(worst, std::fabs(f.value(got) - want) / std::ldexp(1.0, exponent - f.fraction_bits));
    }
  }
  return worst;
}

TEST(Halves, ApproximationsOfAllValues) {
  EXPECT_LT(largest_error(kF16, Opcode::ex2, false, std::exp2), 0.501);
  EXPECT_LT(largest_error(kBf16, Opcode::ex2, true, std::exp2), 0.501);
  EXPECT_LT(largest_error(kF16, Opcode::tanh, false, std::tanh), 0.501);
  EXPECT_LT(largest_error(kBf16, Opcode::tanh, false, std::tanh), 0.501);
}

TEST(Halves, Comparisons) {
  Dice dice(23);
  constexpr const char* kNames[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                    "equ", "neu", "ltu", "leu", "gtu", "geu"};
  for (const HalfFormat* f : {&kF16, &kBf16})
    for (int c = static_cast<int>(Compare::eq); c <= static_cast<int>(Compare::nan); ++c) {
      const auto compare = static_cast<Compare>(c);
      if (compare >= Compare::lo && compare <= Compare::hs) continue;
      Modifiers m;
      m.compare = compare;
      const auto holds = [&](std::uint32_t a, std::uint32_t b) {
        const bool unordered = f->is_nan(a) || f->is_nan(b);
        if (compare == Compare::num) return !unordered;
        if (compare == Compare::nan) return unordered;
        const int at = compare <= Compare::ge ? c - 1 : c - 5;
        const std::string name = kNames[at];
        if (unordered) return name.size() == 3;
        const double x = f->value(a), y = f->value(b);
        const std::string kind = name.substr(0, 2);
        return kind == "eq"   ? x == y
               : kind == "ne" ? x != y
               : kind == "lt" ? x < y
               : kind == "le" ? x <= y
               : kind == "gt" ? x > y
                              : x >= y;
      };
      LaneRunner single(Opcode::setp, f->type, m), pair(Opcode::setp, pair_of(f->type), m);
      LaneRunner word(Opcode::set, DataType::u32, m, pair_of(f->type));
      LaneRunner truth(Opcode::set, f->type, m, f->type);
      for (int batch = 0; batch < 20; ++batch) {
        std::uint32_t in[kLanes][2];
        for (int lane = 0; lane < kLanes; ++lane)
          for (int k = 0; k < 2; ++k) {
            in[lane][k] = operand(dice, *f) | operand(dice, *f) << 16;
            if (dice.chance(20)) in[lane][k] = in[lane][0];
            single.set_source(k, lane, in[lane][k] & 0xffffu);
            truth.set_source(k, lane, in[lane][k] & 0xffffu);
            pair.set_source(k, lane, in[lane][k]);
            word.set_source(k, lane, in[lane][k]);
          }
        ASSERT_TRUE(single.run(chosen_set()) && pair.run(chosen_set()) && word.run(chosen_set()) &&
                    truth.run(chosen_set()));
        for (int lane = 0; lane < kLanes; ++lane) {
          const bool low = holds(in[lane][0] & 0xffffu, in[lane][1] & 0xffffu),
                     high = holds(in[lane][0] >> 16, in[lane][1] >> 16);
          ASSERT_EQ(single.predicate(0) >> lane & 1u, low) << to_string(single.instruction());
          ASSERT_EQ(single.predicate(1) >> lane & 1u, !low);
          ASSERT_EQ(pair.predicate(0) >> lane & 1u, low);
          ASSERT_EQ(pair.predicate(1) >> lane & 1u, high);
          ASSERT_EQ(word.result(lane), (low ? 0xffffu : 0u) | (high ? 0xffff0000u : 0u));
          ASSERT_EQ(f->value(static_cast<std::uint32_t>(truth.result(lane))), low ? 1.0 : 0.0);
        }
      }
    }
}

TEST(Halves, PackedIntegers) {
  const auto of = [](Opcode op, DataType t, std::uint64_t a, std::uint64_t b, bool relu = false) {
    Modifiers m;
    m.relu = relu;
    return compute(LaneRunner(op, t, m), {a, b});
  };
  EXPECT_EQ(of(Opcode::add, DataType::u16x2, 0xffff'ffff, 0x0001'0002), 0x0000'0001u);
  EXPECT_EQ(of(Opcode::add, DataType::s16x2, 0x7fff'8000, 0x0001'ffff), 0x8000'7fffu);
  EXPECT_EQ(of(Opcode::min, DataType::s16x2, 0xffff'0001, 0x0001'ffff), 0xffff'ffffu);
  EXPECT_EQ(of(Opcode::min, DataType::u16x2, 0xffff'0001, 0x0001'ffff), 0x0001'0001u);
  EXPECT_EQ(of(Opcode::max, DataType::s16x2, 0xffff'8000, 0xfffe'0005), 0xffff'0005u);
  EXPECT_EQ(of(Opcode::max, DataType::s16x2, 0xffff'8000, 0xfffe'0005, true), 0x0000'0005u);
  EXPECT_EQ(of(Opcode::min, DataType::s32, 5, 0xffff'ffff, true), 0u);
  EXPECT_EQ(of(Opcode::max, DataType::s32, 5, 0xffff'ffff, true), 5u);
}

}  // namespace
}  // namespace heddle::isa::test
