// Tests the instruction cvt (conversion) from and to f16 and bf16. The inputs are all values of both formats,
// and the numbers next to each of these values.

#include <cmath>
#include <limits>

#include "tests/isa/exact_halves.h"
#include "tests/isa/lane_runner.h"
#include "tests/support/dice.h"

namespace heddle::isa::test {
namespace {

using fuzz::Dice;

constexpr Rounding kRoundings[] = {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp};
constexpr Rounding kWhole[] = {Rounding::rni, Rounding::rzi, Rounding::rmi, Rounding::rpi};

Modifiers rounding(Rounding r) {
  Modifiers m;
  m.rounding = r;
  return m;
}

std::vector<std::uint64_t> converted(DataType to, DataType from, const Modifiers& m,
                                     const std::vector<std::uint64_t>& in, int result_bits = 0) {
  LaneRunner form(Opcode::cvt, to, m, from, result_bits);
  std::vector<std::uint64_t> out;
  for (std::size_t first = 0; first < in.size(); first += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k)
      form.set_source(0, static_cast<int>(k), in[std::min(first + k, in.size() - 1)]);
    EXPECT_TRUE(form.run(chosen_set())) << to_string(form.instruction());
    for (std::size_t k = 0; k < kLanes && first + k < in.size(); ++k)
      out.push_back(form.result(static_cast<int>(k)));
  }
  return out;
}

std::vector<std::uint64_t> all_halves() {
  std::vector<std::uint64_t> all(0x10000);
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
  return all;
}

/// Returns floats around every value of the format: the value, the next float, the midpoint between the value
/// and the format's next value, and the two floats next to the midpoint.
std::vector<std::uint64_t> floats_around(const HalfFormat& f) {
  std::vector<std::uint64_t> all;
  for (std::uint32_t v = 0; v < 0x10000; ++v) {
    const float at = static_cast<float>(f.value(v));
    const std::uint32_t pattern = bits(at);
    all.push_back(pattern);
    if (!std::isfinite(at)) continue;
    const double next =
        (v & 0x7fff) + 1 == f.infinity() ? std::copysign(std::ldexp(1.0, f.bias + 1), at) : f.value(v + 1);
    const std::uint32_t middle = bits(static_cast<float>((static_cast<double>(at) + next) / 2));
    for (const std::uint32_t p : {pattern + 1, middle - 1, middle, middle + 1}) all.push_back(p);
  }
  for (const std::uint32_t p :
       {0x00000001u, 0x80000001u, 0x007fffffu, 0x7f7fffffu, 0xff7fffffu, 0x7fc00000u, 0xff800001u})
    all.push_back(p);
  return all;
}

TEST(HalfConversions, ToFloatsAreExact) {
  for (const HalfFormat* f : {&kF16, &kBf16}) {
    const std::vector<std::uint64_t> single = converted(DataType::f32, f->type, {}, all_halves());
    const std::vector<std::uint64_t> wide = converted(DataType::f64, f->type, {}, all_halves());
    Modifiers m;
    m.ftz = true;
    const std::vector<std::uint64_t> flushed = converted(DataType::f32, f->type, m, all_halves());
    m.ftz = false;
    m.sat = true;
    const std::vector<std::uint64_t> clamped = converted(DataType::f32, f->type, m, all_halves());
    for (std::uint32_t v = 0; v < 0x10000; ++v) {
      const double value = f->value(v);
      const bool nan = f->is_nan(v);
      ASSERT_EQ(single[v], nan ? 0x7fffffffu : bits(static_cast<float>(value))) << std::hex << v;
      ASSERT_EQ(wide[v], nan ? 0x7ff8000000000000u : bits(value)) << std::hex << v;
      const bool small = f == &kBf16 && f->is_subnormal(v);
      ASSERT_EQ(flushed[v], small ? std::uint64_t{v & 0x8000u} << 16 : single[v]) << std::hex << v;
      ASSERT_EQ(clamped[v], bits(nan || !(value > 0) ? 0.0f : std::min(static_cast<float>(value), 1.0f)))
          << std::hex << v;
    }
  }
}

TEST(HalfConversions, OfFloatsRoundOnceInEveryDirection) {
  for (const HalfFormat* f : {&kF16, &kBf16}) {
    const std::vector<std::uint64_t> in = floats_around(*f);
    for (const Rounding r : kRoundings) {
      const std::vector<std::uint64_t> out = converted(f->type, DataType::f32, rounding(r), in);
      for (std::size_t k = 0; k < in.size(); ++k)
        ASSERT_EQ(out[k], f->rounded(std::bit_cast<float>(static_cast<std::uint32_t>(in[k])), r))
            << std::hex << in[k];
    }
  }
}

TEST(HalfConversions, ClampAsAsked) {
  for (const HalfFormat* f : {&kF16, &kBf16}) {
    const std::vector<std::uint64_t> in = floats_around(*f);
    Modifiers sat = rounding(Rounding::rn), relu = sat, finite = sat, both = sat, ftz = sat;
    sat.sat = relu.relu = finite.satfinite = both.relu = both.satfinite = ftz.ftz = true;
    const auto run = [&](const Modifiers& m) { return converted(f->type, DataType::f32, m, in); };
    const auto sat_out = run(sat), relu_out = run(relu), finite_out = run(finite), both_out = run(both),
               ftz_out = run(ftz);
    const std::uint32_t one = static_cast<std::uint32_t>(f->bias) << f->fraction_bits;
    for (std::size_t k = 0; k < in.size(); ++k) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(in[k]));
      const std::uint32_t plain = f->rounded(value, Rounding::rn);
      const bool nan = f->is_nan(plain), negative = (plain & 0x8000u) != 0;
      const std::uint32_t kept = f->is_infinite(plain) ? plain - 1 : plain;
      ASSERT_EQ(sat_out[k], nan || negative ? 0u : std::min(plain, one)) << std::hex << in[k];
      ASSERT_EQ(relu_out[k], !nan && negative ? 0u : plain) << std::hex << in[k];
      ASSERT_EQ(finite_out[k], kept) << std::hex << in[k];
      ASSERT_EQ(both_out[k], !nan && negative ? 0u : kept) << std::hex << in[k];
      ASSERT_EQ(ftz_out[k], std::fpclassify(value) == FP_SUBNORMAL ? plain & 0x8000u : plain)
          << std::hex << in[k];
    }
  }
}

TEST(HalfConversions, OfDoublesAndBetweenHalves) {
  Dice dice(31);
  for (const HalfFormat* f : {&kF16, &kBf16}) {
    std::vector<std::uint64_t> in;
    for (const std::uint64_t pattern : floats_around(*f)) {
      if (!dice.chance(4)) continue;
      const std::uint64_t wide =
          bits(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(pattern))));
      for (const std::uint64_t p : {wide, wide + 1, wide - 1}) in.push_back(p);
    }
    for (const std::uint64_t p : {std::uint64_t{1}, bits(-0x1p-1074), bits(0x1p1000), bits(-0x1.8p-900)})
      in.push_back(p);
    const HalfFormat& other = f == &kF16 ? kBf16 : kF16;
    for (const Rounding r : kRoundings) {
      const std::vector<std::uint64_t> out = converted(f->type, DataType::f64, rounding(r), in);
      for (std::size_t k = 0; k < in.size(); ++k)
        ASSERT_EQ(out[k], f->rounded(std::bit_cast<double>(in[k]), r)) << std::hex << in[k];
      const std::vector<std::uint64_t> crossed = converted(f->type, other.type, rounding(r), all_halves());
      for (std::uint32_t v = 0; v < 0x10000; ++v)
        ASSERT_EQ(crossed[v], f->rounded(other.value(v), r)) << std::hex << v;
    }
  }
}

double whole(double v, Rounding r) {
  switch (r) {
    case Rounding::rni:
      return std::nearbyint(v);
    case Rounding::rzi:
      return std::trunc(v);
    case Rounding::rmi:
      return std::floor(v);
    default:
      return std::ceil(v);
  }
}

TEST(HalfConversions, ToWholeNumbers) {
  struct Integer {
    DataType type;
    long double least, greatest;
  };
  const Integer integers[] = {{DataType::u8, 0, 255},
                              {DataType::s8, -128, 127},
                              {DataType::u16, 0, 65535},
                              {DataType::s16, -32768, 32767},
                              {DataType::u32, 0, 4294967295.0L},
                              {DataType::s32, -2147483648.0L, 2147483647.0L},
                              {DataType::u64, 0, 18446744073709551615.0L},
                              {DataType::s64, -9223372036854775808.0L, 9223372036854775807.0L}};
  for (const HalfFormat* f : {&kF16, &kBf16})
    for (const Rounding r : kWhole) {
      const std::vector<std::uint64_t> same = converted(f->type, f->type, rounding(r), all_halves());
      for (std::uint32_t v = 0; v < 0x10000; ++v)
        ASSERT_EQ(same[v], f->rounded(whole(f->value(v), r), Rounding::rn)) << std::hex << v;
      for (const Integer& to : integers) {
        const int width = bits_of(to.type);
        const std::vector<std::uint64_t> out =
            converted(to.type, f->type, rounding(r), all_halves(), width == 8 ? 16 : 0);
        for (std::uint32_t v = 0; v < 0x10000; ++v) {
          std::uint64_t want = width == 64 ? std::uint64_t{1} << 63 : 0;
          if (!f->is_nan(v)) {
            const long double value = std::clamp<long double>(whole(f->value(v), r), to.least, to.greatest);
            want = value < 0 ? 0 - static_cast<std::uint64_t>(-value) : static_cast<std::uint64_t>(value);
          }
          const int kept = std::max(width, 16);
          if (kept < 64) want &= (std::uint64_t{1} << kept) - 1;
          ASSERT_EQ(out[v] & (kept < 64 ? (std::uint64_t{1} << kept) - 1 : ~std::uint64_t{0}), want)
              << name_of(to.type) << std::hex << " " << v;
        }
      }
    }
}

TEST(HalfConversions, OfIntegers) {
  Dice dice(37);
  std::vector<std::uint64_t> in = {0,
                                   1,
                                   2047,
                                   2048,
                                   2049,
                                   2051,
                                   65503,
                                   65504,
                                   65519,
                                   65520,
                                   65535,
                                   257,
                                   259,
                                   385,
                                   0x7fffffffu,
                                   0x80000000u,
                                   0xffffffffu,
                                   ~std::uint64_t{0},
                                   std::uint64_t{1} << 63};
  for (int shift = 9; shift < 64; ++shift) {  // midpoints of both formats, and the integers next to these
    for (const std::uint64_t tie : {std::uint64_t{0x101} << (shift - 9), std::uint64_t{0x183} << (shift - 9)})
      for (const std::uint64_t v : {tie - 1, tie, tie + 1}) in.push_back(v);
  }
  for (int k = 0; k < 500; ++k) in.push_back(dice.next() >> dice.pick(64));
  for (const HalfFormat* f : {&kF16, &kBf16})
    for (const Rounding r : kRoundings)
      for (const DataType from : {DataType::u8, DataType::s8, DataType::u16, DataType::s16, DataType::u32,
                                  DataType::s32, DataType::u64, DataType::s64}) {
        const std::vector<std::uint64_t> out = converted(f->type, from, rounding(r), in);
        const int unused = 64 - bits_of(from);
        for (std::size_t k = 0; k < in.size(); ++k) {
          Exact value = is_signed(from) ? Exact(static_cast<std::int64_t>(in[k] << unused) >> unused)
                                        : Exact(in[k] << unused >> unused);
          value <<= 300;
          ASSERT_EQ(out[k], f->rounded(value, r)) << name_of(from) << std::hex << " " << in[k];
        }
      }
}

TEST(HalfConversions, PairsHoldTheSecondSourceBelow) {
  for (const HalfFormat* f : {&kF16, &kBf16})
    for (const Rounding r : {Rounding::rn, Rounding::rz}) {
      LaneRunner form(Opcode::cvt, f == &kF16 ? DataType::f16x2 : DataType::bf16x2, rounding(r),
                      DataType::f32);
      const float high = 1.00999f, low = -70000.5f;
      form.fill_source(0, bits(high));
      form.fill_source(1, bits(low));
      ASSERT_TRUE(form.run(chosen_set()));
      EXPECT_EQ(form.result(5), f->rounded(high, r) << 16 | f->rounded(low, r));
    }
}

}  // namespace
}  // namespace heddle::isa::test
