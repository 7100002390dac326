// Tests that the HTML page made from a stored result (`heddle report`) shows the result's values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/core/error.h"
#include "testbench/output/csv_table.h"
#include "testbench/output/stored_report.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using testing::HasSubstr;

TEST(StoredReport, HasTheValuesOfARun) {
  Folder folder;
  ASSERT_EQ(run_program({"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1",
                         "--profile", "--interval", "500", "--quiet", "--out", "r"},
                        folder.path())
                .status,
            0);
  ASSERT_EQ(run_program({"pack", "r", "-o", "r.heddle", "--quiet"}, folder.path()).status, 0);
  for (const char* result : {"r", "r/result.json", "r.heddle"}) {
    ASSERT_EQ(run_program({"report", result, "-o", "r.md"}, folder.path()).status, 0);
    ASSERT_EQ(run_program({"report", result}, folder.path()).status, 0);
    const ConfigNode stored = parse_config_text(folder.read("r/result.json"), "r/result.json");
    const double energy = stored.find("total")->find("energy")->find("total")->find("total_nj")->number;
    const std::string page = folder.read("r.md");
    EXPECT_THAT(page, HasSubstr("Every output equals that of the untimed reference."));
    EXPECT_THAT(page, HasSubstr("| total | "));
    EXPECT_THAT(page, HasSubstr(output::HtmlCell::of(energy).text));
    EXPECT_THAT(page, HasSubstr("warp-instructions"));
    EXPECT_THAT(page, HasSubstr("## Profile"));
    const std::string html = folder.read("report.html");
    EXPECT_THAT(html, HasSubstr("Every output equals that of the untimed reference."));
    EXPECT_THAT(html, HasSubstr("Over time"));
  }
  EXPECT_THAT(run_program({"report", "r", "-o", "r.pdf"}, folder.path()).err,
              HasSubstr("NAME.html or NAME.md"));
  EXPECT_THAT(run_program({"report", "none"}, folder.path()).err, HasSubstr("none: cannot read this file"));
}

TEST(StoredReport, HasTheTablesOfAProgram) {
  const ConfigNode program =
      parse_config_text(R"({"command": ["./bfs", "200"], "heddle": "0.1.0", "gpu": "fermi-gtx480",
    "techniques": ["hybrid"], "total": {"checked": 2, "different": 1},
    "kernels": [{"kernel": "a|b", "launches": 2, "cycles": 77, "energy_pj": 1.5}],
    "launches": [{"launch": 0, "kernel": "a|b", "grid": [1, 2, 3], "check": "equal"}]})",
                        "program.json");
  const std::string page = output::markdown_text_of(output::stored_report(program, ".", "program.json"));
  EXPECT_THAT(page, HasSubstr("# ./bfs 200"));
  EXPECT_THAT(page, HasSubstr("1 of 2 launches that were compared differ"));
  EXPECT_THAT(page, HasSubstr("a\\|b"));
  EXPECT_THAT(page, HasSubstr("1 x 2 x 3"));
  EXPECT_THROW(output::stored_report(parse_config_text("{}", "x"), ".", "x"), Error);
}

TEST(CsvTable, IsReadAsWritten) {
  const output::CsvTable table = output::read_csv("a,b\n1,\"x, \"\"y\"\"\nz\"\n2.5,\n", "t.csv");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][1], "x, \"y\"\nz");
  EXPECT_EQ(table.number(1, table.column("a")), 2.5);
  EXPECT_EQ(table.number(1, table.column("none")), 0);
  EXPECT_THROW(output::read_csv("a,b\n1\n", "t.csv"), Error);
  EXPECT_THROW(output::read_csv("a\n\"1\n", "t.csv"), Error);
}

}  // namespace
}  // namespace heddle::test
