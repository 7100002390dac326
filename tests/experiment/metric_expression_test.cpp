#include "testbench/experiment/metric_expression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

PointValues run(int reads, int cycles) {
  const std::string counters = R"("counters": {"sm0.partition0.banks.reads": )" + std::to_string(reads) +
                               R"(, "sm1.partition0.banks.reads": 5, "sm0.gating.int0.idle_periods_5": 7,
                                  "sm0.gating.int0.idle_periods_short": 9})";
  return PointValues(parse_config_text(
      R"({"total": {"cycles": )" + std::to_string(cycles) + R"(, "metrics": {"ipc": 0.5, "saved.int": 2}, )" +
          counters +
          R"(, "energy": {"structures": [{"name": "execution.int", "leakage_nj": 1.5}]}}, "launches": [{"ipc": 9}]})",
      "result.json"));
}

double value(const std::string& text, const PointValues& own = run(10, 100),
             const PointValues* base = nullptr) {
  return MetricExpression(ConfigNode::make_string(text)).evaluate(own, base);
}

TEST(MetricExpression, Arithmetic) {
  EXPECT_DOUBLE_EQ(value("1 + 2 * 3 - 8 / 4"), 5);
  EXPECT_DOUBLE_EQ(value("-(1 + 2) * -3"), 9);
  EXPECT_DOUBLE_EQ(value("8 - 4 - 2"), 2);
  EXPECT_DOUBLE_EQ(value("16 / 4 / 2"), 2);
  EXPECT_DOUBLE_EQ(value("min(3, 2) + max(3, 2)"), 5);
  EXPECT_DOUBLE_EQ(value("if(2 > 1, 10, 20) + if(1 >= 2, 10, 20)"), 30);
  EXPECT_DOUBLE_EQ(value("(1 < 2) + (2 <= 2) + (3 == 3) + (3 == 4)"), 3);
  EXPECT_DOUBLE_EQ(MetricExpression(ConfigNode::make_number(4)).evaluate(run(1, 1), nullptr), 4);
}

TEST(MetricExpression, ShareOfTheWholeInsideBase) {
  const auto whole = [](const std::string& text, const Definitions& definitions = {}) {
    return MetricExpression(ConfigNode::make_string(text), definitions).share_of();
  };
  EXPECT_EQ(whole("cycles / base(cycles)"), "");
  EXPECT_EQ(whole("energy.structures.execution.int.leakage_nj / base(energy.groups.register_file.total_nj)"),
            "register file");
  EXPECT_EQ(whole("1 - cycles / base(energy.structures.execution.int.leakage_nj)"), "units");
  EXPECT_EQ(whole("cycles / base(energy.total.total_nj)"), "gpu");
  EXPECT_EQ(whole("100 * energy.shares.sm_dynamic"), "sm");
  EXPECT_EQ(whole("base(energy.groups.register_file.total_nj) / base(energy.total.total_nj)"), "")
      << "two wholes are none";
  Definitions definitions;
  definitions.emplace("rf",
                      MetricExpression(ConfigNode::make_string("sum('energy.groups.register_file.*')")));
  definitions.emplace("saved", MetricExpression(ConfigNode::make_string("1 - rf / base(rf)"), definitions));
  EXPECT_EQ(whole("100 * saved", definitions), "register file");
  EXPECT_EQ(whole("rf", definitions), "") << "no quotient";
}

TEST(MetricExpression, NamesOfARun) {
  EXPECT_DOUBLE_EQ(value("cycles"), 100);
  EXPECT_DOUBLE_EQ(value("ipc"), 0.5);
  EXPECT_DOUBLE_EQ(value("saved.int"), 2);
  EXPECT_DOUBLE_EQ(value("sm0.partition0.banks.reads"), 10);
  EXPECT_DOUBLE_EQ(value("sm.partition.banks.reads"), 15);
  EXPECT_DOUBLE_EQ(value("sm.gating.int.idle_periods_5"), 7);
  EXPECT_DOUBLE_EQ(value("energy.structures.execution.int.leakage_nj"), 1.5);
  EXPECT_DOUBLE_EQ(value("sum('sm**.banks.reads')"), 15) << "like units are not added twice";
  EXPECT_DOUBLE_EQ(value("count('sm**.banks.reads')"), 2);
  EXPECT_DOUBLE_EQ(value("sum('sm**.idle_periods_[0-9]*')"), 7);
  EXPECT_DOUBLE_EQ(value("nothing + 1"), 1) << "what a run lacks is 0";
}

TEST(MetricExpression, BaseIsAnotherRun) {
  const PointValues base = run(30, 50);
  EXPECT_DOUBLE_EQ(value("cycles / base(cycles)", run(10, 100), &base), 2);
  EXPECT_DOUBLE_EQ(value("base(sum('sm0.**.reads') - cycles)", run(10, 100), &base), -20);
  EXPECT_TRUE(std::isnan(value("base(cycles)")));
  EXPECT_TRUE(MetricExpression(ConfigNode::make_string("1 + base(ipc)")).uses_base());
  EXPECT_FALSE(MetricExpression(ConfigNode::make_string("1 + ipc")).uses_base());
}

TEST(MetricExpression, NoValueSpreads) {
  for (const char* text : {"1 / 0", "1 + 0 / 0", "max(1 / 0, 2)", "if(1 / 0, 1, 2)", "(1 / 0) < 1"})
    EXPECT_TRUE(std::isnan(value(text))) << text;
  EXPECT_DOUBLE_EQ(value("if(0, 1 / 0, 2)"), 2) << "only the chosen branch counts";
}

TEST(MetricExpression, UnknownNamesAreErrors) {
  const PointValues known = run(1, 1);
  const auto check = [&](const char* text) {
    MetricExpression(ConfigNode::make_string(text, "x.json")).check_names(known);
  };
  EXPECT_NO_THROW(check("cycles + sum('sm**') / sm.partition.banks.reads"));
  EXPECT_THROW(check("cycels"), Error);
  EXPECT_THROW(check("base(sum('sm*.writes'))"), Error);
  const auto meant = [&](const char* text) {
    try {
      check(text);
    } catch (const Error& error) {
      const std::string what = error.what();
      const std::size_t at = what.find("did you mean \"");
      return at == std::string::npos ? "" : what.substr(at + 14, what.find('"', at + 14) - at - 14);
    }
    return std::string("known");
  };
  EXPECT_EQ(meant("energy.leakage_nj"), "energy.structures.execution.int.leakage_nj") << "parts are left out";
  EXPECT_EQ(meant("sm.banks.reads"), "sm.partition.banks.reads");
  EXPECT_EQ(meant("cycels"), "cycles");
  EXPECT_EQ(meant("something.else"), "");
}

TEST(MetricExpression, SyntaxErrorsNameThePlace) {
  for (const char* text :
       {"", "1 +", "(1", "1)", "f(1)", "sum(ipc)", "sum('')", "sum('a", "min(1)", "1 2", "1..2", "a ? b"}) {
    try {
      const MetricExpression expression(ConfigNode::make_string(text, "x.json"));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("x.json"), std::string::npos) << e.what();
    }
  }
  EXPECT_THROW(MetricExpression(ConfigNode::make_string(std::string(500, '(') + "1")), Error);
}

TEST(MetricExpression, DefinitionsAreOfTheRunThatIsLookedAt) {
  Definitions definitions;
  const auto define = [&](const char* name, const std::string& text) {
    definitions.emplace(name, MetricExpression(ConfigNode::make_string(text, "x.json"), definitions));
  };
  define("half", "cycles / 2");
  define("loss", "half / base(half)");
  const PointValues base = run(30, 50), own = run(10, 100);
  const auto worked_out = [&](const char* text, const PointValues* other) {
    return MetricExpression(ConfigNode::make_string(text), definitions).evaluate(own, other);
  };
  EXPECT_DOUBLE_EQ(worked_out("half + 1", &base), 51);
  EXPECT_DOUBLE_EQ(worked_out("100 * loss", &base), 200);
  EXPECT_DOUBLE_EQ(worked_out("base(loss)", &base), 1) << "the base of the base is the base";
  EXPECT_TRUE(std::isnan(worked_out("loss", nullptr)));
  EXPECT_TRUE(MetricExpression(ConfigNode::make_string("loss"), definitions).uses_base());
  const MetricExpression bad(ConfigNode::make_string("half + cycels", "x.json"), definitions);
  EXPECT_THROW(bad.check_names(own), Error);
  EXPECT_THROW(bad.check_names(own, MetricExpression::Runs::some), Error);
}

TEST(MetricExpression, OfSomeRunsADefinitionMayNameWhatOthersHave) {
  Definitions definitions;
  definitions.emplace(
      "reads", MetricExpression(ConfigNode::make_string("sum('sm**.l0.reads') + elsewhere", "x.json")));
  const MetricExpression metric(ConfigNode::make_string("cycles + reads", "x.json"), definitions);
  const PointValues known = run(1, 1);
  EXPECT_THROW(metric.check_names(known), Error);
  EXPECT_NO_THROW(metric.check_names(known, MetricExpression::Runs::some));
  EXPECT_DOUBLE_EQ(metric.evaluate(known, nullptr), 1);
}

TEST(MetricExpression, DefinitionsAreWorkedOutOnce) {
  Definitions definitions;
  definitions.emplace("l0", MetricExpression(ConfigNode::make_string("cycles")));
  for (int i = 1; i <= 60; ++i)
    definitions.emplace("l" + std::to_string(i),
                        MetricExpression(ConfigNode::make_string("(l" + std::to_string(i - 1) + " + l" +
                                                                 std::to_string(i - 1) + ") / 2"),
                                         definitions));
  EXPECT_DOUBLE_EQ(MetricExpression(ConfigNode::make_string("l60"), definitions).evaluate(run(1, 7), nullptr),
                   7);
}

}  // namespace
}  // namespace heddle::experiment
