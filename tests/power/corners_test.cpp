// Tests energy figures with a range: power.corners chooses the low or the high end of the range. Also tests
// technologies that extend several other technologies.

#include "power/corners.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "power/energy_account.h"
#include "tests/power/power_rig.h"

namespace heddle::power::corners_test {
namespace {

constexpr const char* kRanged = R"(
  "values": {"read-pj": {"value": 4, "low": 3, "high": 8, "source": "s"},
             "write-pj": {"value": 5, "assumed": "a"},
             "both-pj": {"sum": ["read-pj", "write-pj"]}},
  "entries": [{"name": "r", "structure": "file.main", "kind": "dynamic", "counter": "x.reads", "coefficient": "both-pj"}])";

double spent(const std::vector<std::string>& choices) {
  PowerRig rig;
  rig.count("x.reads", 10);
  std::vector<Technology> technologies = {technology_of(kRanged)};
  choose_corners(technologies, choices, "power.corners");
  return rig.account(technologies).report(rig.values(), 1).total.spent.total();
}

std::string error(const std::vector<std::string>& choices) {
  return error_of([&] { spent(choices); });
}

TEST(Corners, AreTheEndsOfEveryRangeOrOfOne) {
  EXPECT_DOUBLE_EQ(spent({}), 90);
  EXPECT_DOUBLE_EQ(spent({"low"}), 80);
  EXPECT_DOUBLE_EQ(spent({"high"}), 130);
  EXPECT_DOUBLE_EQ(spent({"read-pj=high"}), 130);
  EXPECT_DOUBLE_EQ(spent({"high", "read-pj=nominal"}), 90) << "later ones win";
  EXPECT_DOUBLE_EQ(spent({"read-pj=low", "high"}), 130);
  EXPECT_DOUBLE_EQ(spent({"write-pj=0.5"}), 45) << "a number needs no range";
  EXPECT_DOUBLE_EQ(spent({"both-pj=2"}), 20) << "in place of an expression";
}

TEST(Corners, OfOtherFormsOrUnknownNamesAreRefusedInOneLine) {
  EXPECT_EQ(error({"highest"}),
            "power.corners: \"highest\" says not what to take (allowed: low, nominal, high, NAME=low, "
            "NAME=nominal, NAME=high, NAME=NUMBER)");
  EXPECT_NE(error({"read-pj="}).find("\"read-pj=\" says not what to take"), std::string::npos);
  EXPECT_NE(error({"read-pj=1e999"}).find("says not what to take"), std::string::npos);
  EXPECT_NE(error({"=low"}).find("\"=low\" names no value"), std::string::npos);
  EXPECT_EQ(
      error({"write-pj=low"}),
      "power.corners: the value \"write-pj\" has no range (allowed: write-pj=NUMBER; with a range: read-pj)");
  EXPECT_NE(error({"raed-pj=low"}).find("unknown value \"raed-pj\""), std::string::npos)
      << error({"raed-pj=low"});
}

TEST(Corners, ARangeIsAroundItsValue) {
  for (const char* value :
       {R"({"value": 4, "low": 5, "high": 8, "source": "s"})",
        R"({"value": 9, "low": 5, "high": 8, "source": "s"})", R"({"value": 4, "low": 3, "source": "s"})",
        R"({"low": 3, "high": 4, "source": "s"})"})
    EXPECT_NE(error_of([&] {
                technology_of(std::string(R"("values": {"v": )") + value + "}");
              }).find("values.v: not a value with its range"),
              std::string::npos)
        << value;
  EXPECT_NE(
      error_of([] { technology_of(R"("values": {"v": {"value": 4, "low": 3, "high": 8}})"); }).find("source"),
      std::string::npos);
}

// If several of the extended technologies have an entry of the same name, the entry of the technology that is
// named last is used. A value without a range also replaces a value with a range.
TEST(Corners, ATechnologyExtendsSeveral) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "heddle-corners-test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& members) {
    std::ofstream(folder / name) << R"({"name": "n", "description": "d", )" << members << "}";
    return (folder / name).string();
  };
  const auto one = [](const char* name, const char* value) {
    return std::string(R"({"name": ")") + name + R"(", "structure": "g.)" + name +
           R"(", "kind": "dynamic", "counter": "x.reads", "coefficient": ")" + value + R"("})";
  };
  write("a.json", R"("rank": 0, "values": {"v": {"value": 2, "low": 1, "high": 3, "source": "s"}, "w": 1},
        "entries": [)" +
                      one("a", "v") + "]");
  write("b.json",
        R"("rank": 1, "values": {"v": {"value": 5, "source": "s"}}, "entries": [)" + one("b", "v") + "]");
  const std::string both = write("c.json", R"("extends": ["a.json", "b.json"])");
  const auto same = [](const std::string& name, const std::string&) { return name; };
  std::vector<Technology> read = {read_technology(both, same)};
  std::filesystem::remove_all(folder);
  EXPECT_EQ(read[0].entries.size(), 2u);
  EXPECT_EQ(read[0].rank, 1);
  EXPECT_EQ(read[0].files.size(), 3u) << "both stand back behind it";
  EXPECT_TRUE(read[0].definitions.ranges.empty());
  PowerRig rig;
  rig.count("x.reads", 10);
  EXPECT_DOUBLE_EQ(rig.account(read).report(rig.values(), 1).total.spent.total(), 100);
}

}  // namespace
}  // namespace heddle::power::corners_test
