#include "testbench/launch/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "models/core/error.h"

namespace heddle::launch {
namespace {

using ::testing::HasSubstr;

Scope names() {
  Scope scope;
  scope.add("n", Number::of(WideInteger{100}));
  scope.add("i", Number::of(WideInteger{3}));
  scope.add("rate", Number::of(0.5));
  return scope;
}

ConfigNode text(const std::string& expression) { return ConfigNode::make_string(expression, "x.json"); }

std::int64_t integer(const std::string& expression) {
  return Expression::integer(text(expression), names())
      .evaluate(names(), std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}
double real(const std::string& expression) {
  return Expression::real(text(expression), names()).evaluate_real(names());
}
std::string failure(const std::string& expression) {
  try {
    integer(expression);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, FollowsThePrecedenceOfC) {
  EXPECT_EQ(integer("1+2*3"), 7);
  EXPECT_EQ(integer("(1+2)*3"), 9);
  EXPECT_EQ(integer("1<<i+1"), 16);
  EXPECT_EQ(integer("6 & 3 | 8"), 10);
  EXPECT_EQ(integer("20-3-2"), 15);
  EXPECT_EQ(integer("100/7/2"), 7);
  EXPECT_EQ(integer("-n%7"), -2);
  EXPECT_EQ(integer("-7/2"), -3);
  EXPECT_EQ(integer("- -i"), 3);
  EXPECT_EQ(integer("0xff >> 4"), 15);
  EXPECT_EQ(integer("min(n, 2*i) + max(1, min(5, i))"), 9);
  EXPECT_EQ(integer(" (n + 255) / 256 "), 1);
}

TEST(Expression, WithFractionsDividesWithoutTruncation) {
  EXPECT_EQ(real("1/4"), 0.25);
  EXPECT_EQ(real("n*rate/8"), 6.25);
  EXPECT_EQ(real("1.5e3 + .5"), 1500.5);
  EXPECT_EQ(real("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(real("1<<3"), 8);
  EXPECT_NE(real("nan"), real("nan"));
}

TEST(Expression, RefusesWhatItCannotRead) {
  EXPECT_THAT(failure("n+"), HasSubstr("ends where a value was expected"));
  EXPECT_THAT(failure("(n"), HasSubstr("\")\" is missing"));
  EXPECT_THAT(failure("n n"), HasSubstr("where an operator"));
  EXPECT_THAT(failure("m"), HasSubstr("unknown name \"m\" (allowed: numbers, n, i, rate)"));
  EXPECT_THAT(failure("sqrt(n)"), HasSubstr("unknown function \"sqrt\" (allowed: min, max)"));
  EXPECT_THAT(failure("1.5"), HasSubstr("not an integer of 64 bits"));
  EXPECT_THAT(failure("rate"), HasSubstr("\"rate\" is not an integer"));
  EXPECT_THAT(failure("12ab"), HasSubstr("followed by a letter"));
  EXPECT_THAT(failure("n/(i-3)"), HasSubstr("division by zero"));
  EXPECT_THAT(failure("1<<64"), HasSubstr("a shift by 64"));
  EXPECT_THAT(failure("(1<<62)*8"), HasSubstr("beyond 64 bits"));
  EXPECT_THAT(failure("99999999999999999999"), HasSubstr("not an integer of 64 bits"));
  EXPECT_THAT(failure(""), HasSubstr("ends where"));
}

TEST(Expression, NamesRangeAndTypeOfAValueThatDoesNotFit) {
  const Expression e = Expression::integer(text("n*10"), names());
  EXPECT_THROW(e.evaluate(names(), 0, 999), Error);
  EXPECT_EQ(e.evaluate(names(), 0, 1000), 1000);
  EXPECT_THROW(e.evaluate_bits(names(), ElementType::u8), Error);
  EXPECT_EQ(e.evaluate_bits(names(), ElementType::s16), 1000u);
  const Expression minus = Expression::integer(text("-1"), names());
  EXPECT_EQ(minus.evaluate_bits(names(), ElementType::s8), 0xffu);
  EXPECT_EQ(minus.evaluate_bits(names(), ElementType::s64), ~0ull);
  EXPECT_THROW(minus.evaluate_bits(names(), ElementType::u32), Error);
  EXPECT_EQ(Expression::real(text("rate"), names()).evaluate_bits(names(), ElementType::f32), 0x3f000000u);
}

TEST(Expression, KeepsIntegersOf64BitsFromJson) {
  const ConfigNode root = parse_config_text("[18446744073709551615, -9223372036854775808, 2.5]", "x.json");
  EXPECT_EQ(Expression::integer(root.items[0], names()).evaluate_bits(names(), ElementType::u64), ~0ull);
  EXPECT_EQ(Expression::integer(root.items[1], names()).evaluate_bits(names(), ElementType::s64), 1ull << 63);
  EXPECT_THROW(Expression::integer(root.items[2], names()), Error);
}

}  // namespace
}  // namespace heddle::launch
