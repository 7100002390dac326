// Tests the evaluator for expressions, and the patterns for names. A value that occurs several times in a
// large expression must be computed only once.

#include "models/core/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "models/core/error.h"
#include "models/core/wildcard.h"

namespace heddle {
namespace {

class Named : public ExpressionValues {
 public:
  std::map<std::string, double> values = {{"a", 3}, {"b.c", 5}};
  bool elsewhere = true;
  Number value(const ExpressionUse& use) override {
    return Number::of(use.lookup.empty() ? values.at(use.name) * (use.elsewhere ? 10 : 1)
                                         : static_cast<double>(use.name.size()));
  }
  bool has_elsewhere() const override { return elsewhere; }
};

const ExpressionRules kAll = {.arithmetic = ExpressionRules::Arithmetic::undefined,
                              .comparisons = true,
                              .dots = true,
                              .functions = {"min", "max", "if"},
                              .lookups = {"sum"},
                              .elsewhere = "base"};

double value(const std::string& text, Named names = {}) {
  return FlatExpression::parse(text, "here", kAll).evaluate(names).real;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(FlatExpression, NamesPatternsAndTheOtherPlace) {
  EXPECT_EQ(value("a + b.c * 2"), 13);
  EXPECT_EQ(value("base(a + base(b.c)) - a"), 77);
  EXPECT_EQ(value("base(min(a, 4)) + sum('abcd')"), 8);
  EXPECT_EQ(value("if(a < b.c, max(a, 1) * 2, 0)"), 6);
  EXPECT_EQ(value("-a * -(2 - -a)"), 15);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  Named alone;
  alone.elsewhere = false;
  EXPECT_TRUE(std::isnan(value("base(1)", alone)));
}

TEST(FlatExpression, SizeIsNoDanger) {
  constexpr int kMany = 50000;
  EXPECT_EQ(value("0" + repeated(" + a", kMany)), 3.0 * kMany);
  EXPECT_EQ(value(repeated("(", kMany) + "a" + repeated(")", kMany)), 3);
  EXPECT_EQ(value(repeated("-", kMany) + "a"), 3);
  EXPECT_EQ(value(repeated("max(a, ", kMany) + "9" + repeated(")", kMany)), 9);
  EXPECT_EQ(value("a" + repeated(" - (a", kMany) + repeated(")", kMany)), 3);
  EXPECT_THROW(value(repeated("(", kMany) + "a"), Error);
}

TEST(FlatExpression, RefusesWithTheTextAndThePlace) {
  for (const char* text :
       {"", "1 +", "(1", "1)", "min(1)", "min(1, 2, 3)", "sum(a)", "sum('')", "sum('a", "log(1)", "1 2",
        "1..2", "a ? 2", "1, 2", "(1, 2)", "a < 1 < 2", "a | 1", "a % 2", "3a"}) {
    try {
      value(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).substr(0, 4), "here") << e.what();
    }
  }
}

TEST(Wildcard, AStarStaysWithinOnePartADoubleStarDoesNot) {
  EXPECT_TRUE(fits("sm*.banks.reads", "sm12.banks.reads"));
  EXPECT_TRUE(fits("sm*.gating.*.on_cycles", "sm0.gating.ldst0.on_cycles"));
  EXPECT_TRUE(fits("*a*b.c", "xaxbab.c")) << "a star may have to swallow what the next one could begin with";
  EXPECT_FALSE(fits("sm*.reads", "sm0.banks.reads")) << "a star swallowed a dot";
  EXPECT_TRUE(fits("sm**.reads", "sm0.banks.reads"));
  EXPECT_TRUE(fits("sm**.reads", "sm0.reads"));
  EXPECT_TRUE(fits("**", "a.b.c"));
  EXPECT_TRUE(fits("**.x*.c", "a.xb.b.xd.c")) << "the double star swallows on where a star fails";
  EXPECT_FALSE(fits("**.x*.c", "a.xb.b.d.c"));
  EXPECT_FALSE(fits("sm*.banks.reads", "sm0.banks.reads2"));
  EXPECT_FALSE(fits("sm0", "sm"));
  EXPECT_TRUE(fits("sm*", "sm"));
  EXPECT_TRUE(fits("a[0-9]?", "a7x"));
  EXPECT_FALSE(fits("a?b", "a.b"));
  EXPECT_TRUE(fits("[!s]*", "bfs"));
  EXPECT_FALSE(fits("[!s]*", "saxpy"));
  EXPECT_TRUE(fits("rfc-[ahk]*", "rfc-hints"));
  EXPECT_FALSE(fits("rfc-[ahk]*", "rfc-l0"));
  EXPECT_TRUE(fits("a[b", "a[b"));
}

}  // namespace
}  // namespace heddle
