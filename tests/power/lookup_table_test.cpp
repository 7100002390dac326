// A look-up table must return its points, and values on straight lines between its points. Outside of the
// range of the points, the table's member `outside` determines the value.

#include "power/lookup_table.h"

#include <gtest/gtest.h>

#include "tests/power/power_rig.h"

namespace heddle::power {
namespace {

LookupTable table(const std::string& text) { return LookupTable(parse_config_text(text, "table.json")); }

const std::string kLine =
    R"({"axes": [{"name": "entries", "at": [4, 8, 16]}], "values": [1, 3, 4], "source": "made up", "outside": ")";

TEST(LookupTable, OneAxis) {
  const LookupTable line = table(kLine + "error\"}");
  EXPECT_DOUBLE_EQ(line.value({4}, ""), 1);
  EXPECT_DOUBLE_EQ(line.value({8}, ""), 3);
  EXPECT_DOUBLE_EQ(line.value({16}, ""), 4);
  EXPECT_DOUBLE_EQ(line.value({5}, ""), 1.5) << "a quarter of the way from 1 to 3";
  EXPECT_DOUBLE_EQ(line.value({12}, ""), 3.5);
}

TEST(LookupTable, Outside) {
  const std::string error = error_of([] { table(kLine + "error\"}").value({17}, "entry 5"); });
  EXPECT_EQ(error, "entry 5: entries = 17 lies outside of the table (allowed: 4 to 16)");
  EXPECT_DOUBLE_EQ(table(kLine + "clamp\"}").value({1}, ""), 1);
  EXPECT_DOUBLE_EQ(table(kLine + "clamp\"}").value({99}, ""), 4);
  EXPECT_DOUBLE_EQ(table(kLine + "extrapolate\"}").value({2}, ""), 0) << "the line from 4 to 8 goes on";
  EXPECT_DOUBLE_EQ(table(kLine + "extrapolate\"}").value({32}, ""), 6);
}

TEST(LookupTable, TwoAxes) {
  // The table has values of a function f(x, y) at x = 0, 10 and y = 1, 3.
  const LookupTable plane = table(
      R"({"axes": [{"name": "x", "at": [0, 10]}, {"name": "y", "at": [1, 3]}], "values": [[1, 5], [11, 25]],
          "assumed": "made up"})");
  EXPECT_DOUBLE_EQ(plane.value({0, 1}, ""), 1);
  EXPECT_DOUBLE_EQ(plane.value({10, 1}, ""), 11);
  EXPECT_DOUBLE_EQ(plane.value({0, 3}, ""), 5);
  EXPECT_DOUBLE_EQ(plane.value({5, 2}, ""), 10.5) << "mean of 3 and 18";
}

TEST(LookupTable, SaysWhatIsWrong) {
  const auto error = [](const std::string& text) { return error_of([&] { table(text); }); };
  const std::string axes = R"("axes": [{"name": "x", "at": [1, 2]}])";
  EXPECT_NE(error("{" + axes + R"(, "values": [1, 2]})").find("source"), std::string::npos);
  EXPECT_NE(error("{" + axes + R"(, "values": [1, 2], "source": "a", "assumed": "b"})").find("source"),
            std::string::npos);
  EXPECT_NE(error("{" + axes + R"(, "values": [1, 2, 3], "source": "a"})").find("a list of 2"),
            std::string::npos);
  EXPECT_NE(error("{" + axes + R"(, "values": [1, "2"], "source": "a"})").find("values[1]"),
            std::string::npos);
  EXPECT_NE(error(R"({"axes": [{"name": "x", "at": [2, 1]}], "values": [1, 2], "source": "a"})").find("rise"),
            std::string::npos);
  EXPECT_NE(error("{" + axes + R"(, "values": [1, 2], "source": "a", "outside": "guess"})").find("clamp"),
            std::string::npos);
  EXPECT_NE(error("{" + axes + R"(, "values": [1, 2], "source": "a", "valeus": 1})")
                .find("table.json:1: valeus: unknown key"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::power
