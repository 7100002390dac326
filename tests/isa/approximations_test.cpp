// Approximate instructions (sin, ex2, ...) must stay within the error bounds of lane_sets.h, and must return
// the special values of the PTX ISA.

#include <cmath>
#include <functional>

#include "tests/isa/lane_runner.h"

namespace heddle::isa::test {
namespace {

Modifiers approx(bool ftz = false) {
  Modifiers m;
  m.approx = true;
  m.ftz = ftz;
  return m;
}

double ulp_of(double exact) {
  const int exponent = std::max(std::ilogb(exact), -126);
  return std::ldexp(1.0, exponent - 23);
}

double largest_error(Opcode op, const std::function<double(double)>& exact, std::uint32_t first,
                     std::uint32_t last, std::uint32_t step, bool negatives) {
  LaneRunner form(op, DataType::f32, approx());
  double worst = 0;
  for (std::uint32_t pattern = first; pattern < last; pattern += step * kLanes) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      form.set_source(0, static_cast<int>(lane),
                      (pattern + step * lane) | (negatives && lane % 2 ? 0x80000000u : 0u));
    EXPECT_TRUE(form.run(chosen_set()));
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t bits = (pattern + step * lane) | (negatives && lane % 2 ? 0x80000000u : 0u);
      const double want = exact(std::bit_cast<float>(bits));
      const double got =
          std::bit_cast<float>(static_cast<std::uint32_t>(form.result(static_cast<int>(lane))));
      // results outside the range of f32 are special values, which other tests compare
      if (want == 0 || std::fabs(want) >= 0x1.fffffep127) continue;
      worst = std::max(worst, std::fabs(got - want) / ulp_of(want));
    }
  }
  return worst;
}

constexpr std::uint32_t kAllPositive = 0x7f800000;

TEST(Approximations, StayWithinHalfAnUlpAndALittle) {
  EXPECT_LT(largest_error(
                Opcode::ex2, [](double x) { return std::exp2(x); }, 1, 0x43160000, 9973, true),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::lg2, [](double x) { return std::log2(x); }, 1, kAllPositive, 9973, false),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::lg2, [](double x) { return std::log2(x); }, 0x3f700000, 0x3f900000, 17, false),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::tanh, [](double x) { return std::tanh(x); }, 1, 0x42000000, 9973, true),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::rsqrt, [](double x) { return 1 / std::sqrt(x); }, 1, kAllPositive, 9973, false),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::rcp, [](double x) { return 1 / x; }, 1, kAllPositive, 9973, true),
            0.51);
}

TEST(Approximations, ReduceArgumentsOfAnySize) {
  EXPECT_LT(largest_error(
                Opcode::sin, [](double x) { return std::sin(x); }, 1, kAllPositive, 9973, true),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::cos, [](double x) { return std::cos(x); }, 1, kAllPositive, 9973, true),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::sin, [](double x) { return std::sin(x); }, 0x497f0000, 0x49810000, 7, true),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::cos, [](double x) { return std::cos(x); }, 0x3fc90fdb - 64, 0x3fc90fdb + 64, 1, true),
            0.51);
  // the f32 number that is closest to a multiple of pi/2
  EXPECT_LT(largest_error(
                Opcode::sin, [](double x) { return std::sin(x); }, 0x6f79be45 - 16, 0x6f79be45 + 16, 1, true),
            0.51);
  EXPECT_LT(largest_error(
                Opcode::cos, [](double x) { return std::cos(x); }, 0x6f79be45 - 16, 0x6f79be45 + 16, 1, true),
            0.51);
}

struct Special {
  Opcode op;
  std::uint32_t input, result, flushed;
};

TEST(Approximations, HaveTheSpecialValuesOfPtx) {
  const Special table[] = {{Opcode::ex2, 0xff800000, 0, 0},
                           {Opcode::ex2, 0x00000001, 0x3f800000, 0x3f800000},
                           {Opcode::ex2, 0xc3140000, 0x00000002, 0},  // subnormal result 2^-148
                           {Opcode::lg2, 0x80000000, 0xff800000, 0xff800000},
                           {Opcode::lg2, 0x00000001, 0xc3150000, 0xff800000},
                           {Opcode::lg2, 0xbf800000, 0x7fffffff, 0x7fffffff},
                           {Opcode::lg2, 0x80000001, 0x7fffffff, 0xff800000},
                           {Opcode::sin, 0x7f800000, 0x7fffffff, 0x7fffffff},
                           {Opcode::sin, 0x80000000, 0x80000000, 0x80000000},
                           {Opcode::sin, 0x80000001, 0x80000001, 0x80000000},
                           {Opcode::cos, 0x80000001, 0x3f800000, 0x3f800000},
                           {Opcode::rsqrt, 0x80000000, 0xff800000, 0xff800000},
                           {Opcode::rsqrt, 0x00000001, 0x64b504f3, 0x7f800000},
                           {Opcode::rsqrt, 0xbf800000, 0x7fffffff, 0x7fffffff},
                           {Opcode::sqrt, 0x80000000, 0x80000000, 0x80000000},
                           {Opcode::rcp, 0x80000000, 0xff800000, 0xff800000},
                           {Opcode::tanh, 0xff800000, 0xbf800000, 0xbf800000},
                           {Opcode::tanh, 0x80000000, 0x80000000, 0x80000000}};
  for (const Special& s : table) {
    EXPECT_EQ(compute({s.op, DataType::f32, approx()}, {s.input}), s.result)
        << name_of(s.op) << std::hex << s.input;
    EXPECT_EQ(compute({s.op, DataType::f32, approx(true)}, {s.input}), s.flushed)
        << name_of(s.op) << std::hex << s.input;
  }
}

TEST(Approximations, DivisionByHugeNumbersAndUpperWords) {
  EXPECT_EQ(compute({Opcode::div, DataType::f32, approx()}, {bits(-3.0f), bits(0x1p127f)}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::div, DataType::f32, approx()}, {0x7f800000, bits(0x1p127f)}), 0x7fffffffu);
  EXPECT_EQ(compute({Opcode::div, DataType::f32, approx()}, {bits(3.0f), bits(0x1p126f)}),
            bits(3.0f * 0x1p-126f));
  EXPECT_EQ(compute({Opcode::rcp, DataType::f64, approx(true)}, {bits(3.0)}), 0x3fd5555500000000u);
  EXPECT_EQ(compute({Opcode::rcp, DataType::f64, approx(true)}, {1}), 0x7ff0000000000000u);
  EXPECT_EQ(compute({Opcode::rcp, DataType::f64, approx(true)}, {0x7ff0000000000001}), 0x7ff8000000000000u);
  EXPECT_EQ(compute({Opcode::rsqrt, DataType::f64, approx()}, {bits(4.0)}), bits(0.5));
}

}  // namespace
}  // namespace heddle::isa::test
