// Tests energy coefficients that are expressions over named values, parameters of the run, and tables.

#include "power/expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/power/power_rig.h"

namespace heddle::power {
namespace {

const char* kRun = R"({
  "gpu": {"core_clock_mhz": 500, "name": "x", "sm": {
    "register_file": {"stages": [
      {"type": "cache", "entries": 1},
      {"type": "parallel", "stages": [{"type": "file", "entries": 3}, {"type": "cache", "entries": {"value": 6, "assumed": "y"}}]},
      "banks"]},
    "gated": true}}
})";

double value(const std::string& text, const std::string& members = "\"values\": {}") {
  const Technology technology = technology_of(members);
  const ConfigNode node = parse_config_text(text, "expression.json");
  check_expression(node, technology.definitions);
  return evaluate(node, technology.definitions, parse_config_text(kRun, "run.json"));
}

std::string error(const std::string& text, const std::string& members = "\"values\": {}") {
  return error_of([&] { value(text, members); });
}

TEST(Expression, Arithmetic) {
  EXPECT_DOUBLE_EQ(value("1.5"), 1.5);
  EXPECT_DOUBLE_EQ(value(R"({"value": 2, "source": "Gebhart 2012, Table V"})"), 2);
  EXPECT_DOUBLE_EQ(value(R"({"product": [2, 3, {"sum": [1, 0.5]}], "doc": "d"})"), 9);
  EXPECT_DOUBLE_EQ(value(R"({"quotient": [{"difference": [7, 1]}, 4], "assumed": "why"})"), 1.5);
}

TEST(Expression, NamedValuesMayUseEachOther) {
  EXPECT_DOUBLE_EQ(
      value(R"("a")", R"("values": {"a": {"product": ["b", 2]}, "b": {"value": 4, "assumed": "c"}})"), 8);
}

TEST(Expression, NamedValuesAreWorkedOutOnce) {
  std::string values = R"("values": {"v0": {"value": 1, "assumed": "c"})";
  for (int i = 1; i <= 28; ++i)
    values += fmt::format(R"(, "v{}": {{"sum": ["v{}", "v{}"]}})", i, i - 1, i - 1);
  EXPECT_DOUBLE_EQ(value(R"("v28")", values + "}"), 1 << 28);
  std::string chain = R"("values": {"v0": {"value": 1, "assumed": "c"})";
  for (int i = 1; i <= 5000; ++i) chain += fmt::format(R"(, "v{}": {{"sum": ["v{}", 1]}})", i, i - 1);
  EXPECT_DOUBLE_EQ(value(R"("v5000")", chain + "}"), 5001) << "a chain of any length";
}

TEST(Expression, Parameters) {
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.core_clock_mhz"})"), 500);
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.sm.register_file.stages[0].entries"})"), 1);
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.sm.register_file.stages[file].entries"})"), 3)
      << "inside of a group";
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.sm.register_file.stages[cache].entries"})"), 6)
      << "the lowest of two";
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.sm.register_file.stages[cache:2].entries"})"), 1);
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.sm.register_file.stages[cache:3].entries", "or": 7})"), 7);
}

TEST(Expression, SelectsByAParametersValue) {
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.sm.gated", "select": {"true": 3, "false": 4}})"), 3);
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.core_clock_mhz", "select": {"500": 3}})"), 3);
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.sm.register_file.stages[0]", "select": {"cache": 3}})"), 3)
      << "a part goes by its type";
  EXPECT_DOUBLE_EQ(value(R"({"config": "gpu.name", "select": {"y": 3}, "or": 9})"), 9);
  EXPECT_NE(
      error(R"({"config": "gpu.name", "select": {"y": 3}})").find("\"x\", which \"select\" does not name"),
      std::string::npos);
}

TEST(Expression, Tables) {
  const std::string members =
      R"("tables": {"t": {"axes": [{"name": "x", "at": [1, 3]}], "values": [10, 20], "source": "s"}})";
  EXPECT_DOUBLE_EQ(value(R"({"table": "t", "at": [{"sum": [1, 1]}]})", members), 15);
  EXPECT_NE(error(R"({"table": "u", "at": [1]})", members).find("no table \"u\" (allowed: t)"),
            std::string::npos);
  EXPECT_NE(error(R"({"table": "t", "at": [1, 2]})", members).find("a list of 1"), std::string::npos);
  EXPECT_NE(error(R"({"table": "t", "at": [4]})", members).find("x = 4 lies outside"), std::string::npos);
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(error(R"({"product": [1, "nix"]})").find("expression.json:1: product[1]: no value \"nix\""),
            std::string::npos);
  EXPECT_NE(error(R"({"sum": [1], "product": [2]})").find("both"), std::string::npos);
  EXPECT_NE(error(R"({"value": 2})").find("source"), std::string::npos);
  EXPECT_NE(error(R"({"difference": [1, 2, 3]})").find("two"), std::string::npos);
  EXPECT_NE(error(R"({"quotient": [1, 0]})").find("division by zero"), std::string::npos);
  EXPECT_NE(error(R"({"config": "gpu.nix"})").find("the run has no number gpu.nix"), std::string::npos);
  EXPECT_NE(error(R"({"config": "gpu.name"})").find("the run has no number gpu.name"), std::string::npos);
  EXPECT_NE(error("true").find("not an expression"), std::string::npos);
  EXPECT_NE(error(R"("a")", R"("values": {"a": "b", "b": {"sum": ["a", 1]}})").find("defined by itself"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::power
