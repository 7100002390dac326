// Tests the tables of an experiment's runs: results.csv, sweeps.csv, columns.csv, results-wide.csv and
// results.sqlite.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <sstream>

#include "tests/cli/program.h"
#include "tests/support/node.h"

namespace heddle::test {
namespace {

using testing::HasSubstr;

class Tables : public testing::Test {
 protected:
  void SetUp() override { folder.write("tiny.json", read_file(source("tests/experiment/tiny.json"))); }
  ProgramResult run(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"experiment", "tiny.json", "--out", "out", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder.path());
  }
  std::vector<std::string> lines(const std::string& file) const {
    std::istringstream in(folder.read("out/" + file));
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
  std::vector<std::string> query(const std::string& sql) const {
    sqlite3* database = nullptr;
    const std::string file = folder.path() + "/out/results.sqlite";
    EXPECT_EQ(sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::vector<std::string> rows;
    char* error = nullptr;
    const auto add = [](void* to, int count, char** values, char**) {
      std::string row;
      for (int i = 0; i < count; ++i) row += (i ? "|" : "") + std::string(values[i] ? values[i] : "null");
      static_cast<std::vector<std::string>*>(to)->push_back(row);
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &rows, &error), SQLITE_OK) << (error ? error : "");
    sqlite3_close(database);
    return rows;
  }
  Folder folder;
};

TEST_F(Tables, HaveOneRowARunAndSweepsApart) {
  ASSERT_EQ(run().status, 0);
  const std::vector<std::string> results = lines("results.csv"), sweeps = lines("sweeps.csv");
  const std::string head =
      "kernel,variant,sweep,sweep_value,gpu.sm.scheduler,gpu.sm.max_warps,state,cycles,ipc,energy_nj";
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0], head);
  EXPECT_THAT(results[1], HasSubstr("saxpy,lrr,,,lrr,48,done,"));
  ASSERT_EQ(sweeps.size(), 3u);
  EXPECT_EQ(sweeps[0], head);
  EXPECT_THAT(sweeps[1], HasSubstr("saxpy,gto,warps,8,gto,8,done,"));
  EXPECT_FALSE(folder.has("out/results-wide.csv"));
  ASSERT_EQ(run({"--wide"}).status, 0);
  const std::string wide = folder.read("out/results-wide.csv");
  EXPECT_THAT(wide, HasSubstr("kernel,variant,sweep,value,state,"));
  EXPECT_THAT(wide, HasSubstr("saxpy,gto,warps,8,done,"));
  EXPECT_THAT(wide, HasSubstr(",sm.issue.issued,"));
  const std::string columns = folder.read("out/columns.csv");
  std::istringstream names(results[0] + "," + wide.substr(0, wide.find('\n')));
  for (std::string name; std::getline(names, name, ',');)
    if (name != "value") EXPECT_THAT(columns, HasSubstr("\n" + name + ",")) << name;
  EXPECT_EQ(columns.find(",,"), std::string::npos) << "every column has a unit and a meaning";
  EXPECT_THAT(columns, HasSubstr("\ngpu.sm.max_warps,warps,"));
  EXPECT_THAT(columns, HasSubstr("\ngpu.sm.scheduler,choice of warp scheduler policy,"));
}

TEST_F(Tables, ASettingThatIsAPartHasColumnsOfItsParameters) {
  std::string text = read_file(source("tests/experiment/tiny.json"));
  const std::string gto = "\"gpu.sm.scheduler\": \"gto\"";
  text.replace(text.find(gto), gto.size(), R"("gpu.sm.scheduler": {"type": "two-level", "active_warps": 4})");
  folder.write("tiny.json", text);
  ASSERT_EQ(run({"--only", "loads"}).status, 0);
  const std::vector<std::string> results = lines("results.csv");
  EXPECT_THAT(results[0], HasSubstr(",gpu.sm.scheduler,gpu.sm.scheduler.active_warps,state,"));
  EXPECT_THAT(results[1], HasSubstr("saxpy,lrr,,,lrr,,done,"));
  EXPECT_THAT(results[3], HasSubstr("saxpy,gto,,,two-level,4,done,"));
}

TEST_F(Tables, TheDatabaseNeedsNoHeddle) {
  ASSERT_EQ(run().status, 0);
  EXPECT_EQ(query("pragma user_version"), std::vector<std::string>{"1"});
  const std::vector<std::string> ipc =
      query("select kernel, variant, value > 0 from run_metrics where name = 'ipc' and sweep is null");
  EXPECT_EQ(ipc,
            (std::vector<std::string>{"saxpy|lrr|1", "vector_add|lrr|1", "saxpy|gto|1", "vector_add|gto|1"}));
  EXPECT_EQ(
      query("select sweep, sweep_value, \"gpu.sm.max_warps\", ipc > 0 from results where sweep not null"),
      (std::vector<std::string>{"warps|8|8|1", "warps|48|48|1"}));
  EXPECT_EQ(query("select name, value from run_settings where run = 1"),
            (std::vector<std::string>{"gpu.sm.max_warps|48", "gpu.sm.scheduler|lrr"}));
  EXPECT_EQ(
      query("select count(*) from run_metrics m join run_metrics c on c.run = m.run and c.name = 'cycles' "
            "join run_counters i on i.run = m.run and i.name = 'sm.issue.issued' "
            "where m.name = 'ipc' and abs(m.value - i.value / c.value) < 1e-9"),
      std::vector<std::string>{"6"});
  EXPECT_EQ(
      query("select count(*) from run_energy e join run_metrics m on m.run = e.run and m.name = 'energy_nj' "
            "where e.level = 'total' and e.part = 'total' and abs(e.nj - m.value) < 1e-9 * m.value"),
      std::vector<std::string>{"6"});
  EXPECT_EQ(query("select part from energy where run = 1 and level = 'structure' and name = 'execution.int'"),
            (std::vector<std::string>{"dynamic", "leakage", "overhead", "total"}));
  for (const char* view : {"run_metrics", "run_counters"})
    EXPECT_EQ(
        query(std::string("select distinct name from ") + view + " where unit is null or meaning is null"),
        std::vector<std::string>{})
        << view;
  EXPECT_EQ(query("select kernel, variant, sweep_value from figures where figure = 'warps'"),
            (std::vector<std::string>{"saxpy|gto|8", "mean|gto|8", "saxpy|gto|48", "mean|gto|48"}));
  EXPECT_EQ(query("select id, item, figure, kernel, variant, measured not null from published order by id"),
            (std::vector<std::string>{"hyb.rsp_best_size|null|warps|null|null|1",
                                      "wg.hotspot.idle.conv|2|loads|saxpy|lrr|1",
                                      "wg.slowdown.conv|null|loads|null|gto|1"}));
}

}  // namespace
}  // namespace heddle::test
