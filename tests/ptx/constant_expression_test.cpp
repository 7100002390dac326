// Tests constant expressions of PTX (PTX ISA, 4.5): operators, precedence, signedness, casts, and refused
// expressions.

#include "models/ptx/constant_expression.h"

#include <gtest/gtest.h>

#include "models/core/error.h"

namespace heddle::ptx {
namespace {

ConstantValue evaluate(const std::string& text) {
  const Source source{"t.ptx", text};
  const std::vector<Token> tokens = tokenize(source);
  TokenCursor cursor(source, tokens, {0, tokens.size() - 1});
  const ConstantValue value = parse_constant(cursor);
  if (!cursor.at_end()) cursor.fail("text is left over");
  return value;
}

TEST(ConstantExpression, Values) {
  struct Row {
    const char* text;
    std::int64_t value;
  };
  const Row rows[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"-7 / 2", -3},
      {"-7 % 4", -3},
      {"7 % 4", 3},
      {"1 << 4 | 3", 19},
      {"1 << 2 + 1", 8},
      {"-16 >> 2", -4},
      {"0xFFFFFFFFFFFFFFF0 >> 60", 15},
      {"~0", -1},
      {"!5", 0},
      {"!0 + 1", 2},
      {"6 & 3 ^ 1", 3},
      {"1 < 2 == 1", 1},
      {"-1 < 0", 1},
      {"(.u64)-1 < 0", 0},
      {"-1 > 0U", 1},
      {"(.s64)0xFFFFFFFFFFFFFFFF < 0", 1},
      {"0 && 1 || 1", 1},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 1 ? 4 : 5", 4},
      {"WARP_SZ * 2", 64},
      {"- - 5", 5},
      {"1 << 64", 0},
      {"-1 >> 100", -1},
      {"3 >= 3", 1},
      {"3 != 3", 0},
      {"-9223372036854775807 - 1", INT64_MIN},
      {"(-9223372036854775807 - 1) / -1", INT64_MIN},
      {"(-9223372036854775807 - 1) % -1", 0},
  };
  for (const Row& row : rows)
    EXPECT_EQ(static_cast<std::int64_t>(evaluate(row.text).bits), row.value) << row.text;
}

TEST(ConstantExpression, FloatsKeepTheirBitsAndSign) {
  EXPECT_EQ(evaluate("0f3F800000").bits, 0x3f800000u);
  EXPECT_EQ(evaluate("-0f3F800000").bits, 0xbf800000u);
  EXPECT_EQ(evaluate("-1.0").bits, 0xbff0000000000000u);
}

TEST(ConstantExpression, Refuses) {
  for (const char* text :
       {"1 / 0", "1 % (2 - 2)", "1 +", "(1", "1.5 + 1", "~0f3F800000", "(.f32)1", "foo", "1 ? 2", ""})
    EXPECT_THROW(evaluate(text), Error) << text;
  EXPECT_THROW(evaluate(std::string(100000, '(')), Error);
  EXPECT_THROW(evaluate(std::string(100000, '~')), Error);
}

}  // namespace
}  // namespace heddle::ptx
