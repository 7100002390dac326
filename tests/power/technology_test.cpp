// Tests technology files with energy figures: files that must be refused, the errors of these files, and
// technologies that extend another technology.

#include "power/technology.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/power/power_rig.h"

namespace heddle::power::technology_test {
namespace {

std::string error(const std::string& members) {
  return error_of([&] { technology_of(members); });
}

std::string entry(const std::string& more) {
  return R"("entries": [{"name": "a", "structure": "g.s", "kind": "dynamic", "counter": "x.y")" + more + "}]";
}

void expect_error(const std::string& members, const std::string& part) {
  EXPECT_NE(error(members).find(part), std::string::npos) << "it says: " << error(members);
}

TEST(Technology, ReadsAnEntry) {
  const Technology t =
      technology_of(entry(R"(, "coefficient": 2, "unit": "mW", "optional": true, "unless": "z.w",
                                             "baseline": {"counter": ["b.c", "d.e"]}, "doc": "why")"));
  ASSERT_EQ(t.entries.size(), 1u);
  const Entry& e = t.entries[0];
  EXPECT_EQ(e.name, "a");
  EXPECT_TRUE(e.milliwatts);
  EXPECT_TRUE(e.optional);
  EXPECT_EQ(e.unless, std::vector<std::string>{"z.w"});
  EXPECT_EQ(e.baseline, Entry::Baseline::own);
  EXPECT_EQ(e.baseline_term.counters, (std::vector<std::string>{"b.c", "d.e"}));
  EXPECT_EQ(e.baseline_term.coefficient.number, 2) << "the entry's own, unless it says another";
}

TEST(Technology, RefusesWithFileLineAndKey) {
  expect_error("\"entires\": []", "test.json:1: entires: unknown key \"entires\"");
  expect_error(entry(""), "test.json:1: entries[0]: an entry has no \"coefficient\"");
  expect_error(entry(R"(, "coefficient": 1, "colour": "red")"), "entries[0].colour: unknown key");
  expect_error(entry(R"(, "coefficient": 1, "unit": "J")"), "entries[0].unit: unknown unit \"J\"");
  expect_error(entry(R"(, "coefficient": "nix")"), "no value \"nix\"");
  expect_error(entry(R"(, "coefficient": 1, "baseline": 3)"), "not a baseline");
  expect_error(entry(R"(, "coefficient": 1, "baseline": {"counters": "x"})"), "unknown key \"counters\"");
  expect_error(entry(R"(, "coefficient": 1, "optional": 1)"), "expected true or false");
  expect_error(
      R"("entries": [{"name": "a", "structure": "s", "kind": "dynamic", "counter": "x", "coefficient": 1}])",
      "names no part of a group");
  expect_error(
      R"("entries": [{"name": "a", "structure": "g.s-t", "kind": "dynamic", "counter": "x", "coefficient": 1}])",
      "names no part of a group");
  expect_error(
      R"("entries": [{"name": "a", "structure": "g.s", "kind": "heat", "counter": "x", "coefficient": 1}])",
      "unknown kind \"heat\" (allowed: dynamic, leakage, overhead)");
  expect_error(
      R"("entries": [{"name": "a", "structure": "g.s", "kind": "dynamic", "counter": [], "coefficient": 1}])",
      "a text or a list of texts");
  expect_error(R"("values": {"a": "b"})", "no value \"b\"");
  expect_error(R"("shares": [{"name": "s", "structures": "g", "share": 1, "of": "half"}])",
               "unknown value \"half\"");
}

TEST(Technology, RefusesTwoEntriesOfOneName) {
  const std::string one =
      R"({"name": "a", "structure": "g.s", "kind": "dynamic", "counter": "x.y", "coefficient": 1})";
  expect_error("\"entries\": [" + one + ", " + one + "]", "entries[1]: \"a\" is there twice");
  PowerRig rig;
  rig.count("x.y", 1);
  EXPECT_EQ(error_of([&] {
              rig.account({technology_of("\"entries\": [" + one + "]", "first.json"),
                           technology_of("\"entries\": [" + one + "]", "second.json")});
            }),
            "")
      << "an entry of another technology may have the same name";
}

class ExtendedTechnology : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) /
        (std::string("heddle_technology_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string itself(const std::string& name, const std::string&) { return name; }

  std::filesystem::path folder_;
};

TEST_F(ExtendedTechnology, ReplacesValuesAndEntriesByName) {
  write("base.json",
        R"({"name": "base", "description": "b", "values": {"pj": {"value": 2, "source": "s"}}, "entries": [
    {"name": "a", "structure": "g.a", "kind": "dynamic", "counter": "x.y", "coefficient": {"product": ["pj", 10]}},
    {"name": "b", "structure": "g.b", "kind": "dynamic", "counter": "x.y", "coefficient": 1}]})");
  const std::string file = write("over.json", R"({"name": "over", "description": "o", "extends": "base.json",
    "values": {"pj": {"value": 3, "assumed": "y"}},
    "entries": [{"name": "b", "structure": "g.b", "kind": "leakage", "counter": "x.y", "coefficient": 4}]})");
  const Technology t = read_technology(file, itself);
  EXPECT_EQ(t.name, "over");
  EXPECT_EQ(t.files.size(), 2u);
  PowerRig rig;
  rig.count("x.y", 1);
  const EnergyAccount account = rig.account({t});
  const EnergyReport report = account.report(rig.values(), 1);
  EXPECT_DOUBLE_EQ(report.find("g.a").spent[Kind::dynamic], 30) << "the inherited entry takes the new value";
  EXPECT_DOUBLE_EQ(report.find("g.b").spent[Kind::dynamic], 0);
  EXPECT_DOUBLE_EQ(report.find("g.b").spent[Kind::leakage], 4);
}

TEST_F(ExtendedTechnology, EndsAtCircles) {
  const std::string file = write("a.json", R"({"name": "a", "description": "a", "extends": "a.json"})");
  EXPECT_NE(error_of([&] { read_technology(file, itself); }).find("without end"), std::string::npos);
}

}  // namespace
}  // namespace heddle::power::technology_test
