// The stored result of a run must depend on all inputs of the run and on nothing else. A figure that is made
// from stored results must execute no run.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "models/core/config_node.h"
#include "tests/cli/program.h"
#include "tests/support/node.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

// An experiment with one kernel and one variant. Its technology and its preset are files of the test.
class StoredPoints : public ::testing::Test {
 protected:
  StoredPoints() {
    write("Energy, nJ");
    technology(1);
    preset("gto");
  }
  void write(const std::string& title, const std::string& unit = "nJ", const std::string& label = "all") {
    folder.write(
        "e.json",
        R"({
  "name": "e", "base": {"gpu": {"preset": "./p.json"}, "power": {"technologies": ["./t.json"]}},
  "sizes": {"quick": {"kernels": ["saxpy"], "launch": "small.json"}},
  "variants": [{"name": "v"}],
  "sweeps": [{"name": "s", "of": "gpu.sm.max_ctas", "values": [{"name": ")" +
            label + R"(", "value": 8}]}],
  "figures": [{"id": "f", "title": ")" +
            title + R"(", "unit": ")" + unit +
            R"(", "kind": "bars", "digits": 3, "metric": "energy_nj", "sweep": "s", "x": "value", "series": "metric"}]
})");
  }
  void technology(int picojoules) {
    folder.write("t.json", R"({"name": "t", "description": "d", "entries": [{"name": "n", "structure": "a.b",
 "kind": "dynamic", "counter": "sm*.issue.issued", "coefficient": )" +
                               std::to_string(picojoules) + "}]}");
  }
  void preset(const std::string& scheduler) {
    folder.write("p.json", R"({"sms": 1, "sm": {"scheduler": ")" + scheduler + "\"}}");
  }
  ProgramResult run() { return run_program({"experiment", "e.json", "--out", "out"}, folder.path()); }
  double energy() {
    const std::string csv = folder.read("out/figures/f.csv");
    return std::atof(csv.substr(csv.rfind(',') + 1).c_str());
  }
  Folder folder;
};

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in\n" << text;
}

TEST_F(StoredPoints, AChangedTechnologyPricesTheSamePointAnew) {
  ASSERT_EQ(run().status, 0);
  const double before = energy();
  ASSERT_GT(before, 0);
  technology(4);
  expect_in(run().out, "1 of 1 runs have a result (1 of them");
  EXPECT_DOUBLE_EQ(energy(), 4 * before);
}

TEST_F(StoredPoints, VariantsThatDifferInTechnologyShareARun) {
  std::string variants;
  for (int i = 1; i <= 12; ++i) {
    const std::string file = "t" + std::to_string(i) + ".json";
    technology(i);
    folder.write(file, folder.read("t.json"));
    variants += (i > 1 ? ", " : "") + std::string(R"({"name": "v)") + std::to_string(i) +
                R"(", "set": {"power.technologies": [")" + folder.path() + "/" + file + "\"]}}";
  }
  folder.write("e.json",
               R"({"name": "e", "base": {"gpu": {"preset": "./p.json"}}, "variants": [)" + variants +
                   R"(], "sizes": {"quick": {"kernels": ["saxpy"], "launch": "small.json"}},)" +
                   R"("figures": [{"id": "f", "title": "t", "kind": "table", "metric": "energy_nj"}]})");
  const ProgramResult all = run();
  ASSERT_EQ(all.status, 0) << all.err;
  expect_in(all.out, "1 of 1 runs have a result (0 of them");
  const std::string csv = folder.read("out/figures/f.csv");
  const auto energy_of = [&csv](int i) {
    const std::string row = "saxpy,v" + std::to_string(i) + ",,value,";
    expect_in(csv, row);
    return std::atof(csv.substr(csv.find(row) + row.size()).c_str());
  };
  EXPECT_GT(energy_of(1), 0);
  for (int i = 2; i <= 12; ++i) EXPECT_DOUBLE_EQ(energy_of(i), i * energy_of(1));
}

TEST_F(StoredPoints, AChangedBaseOfATechnologyPricesAnew) {
  folder.write("base.json", folder.read("t.json"));
  folder.write("t.json", R"({"name": "t", "description": "d", "extends": "./base.json"})");
  ASSERT_EQ(run().status, 0);
  const double before = energy();
  std::string base = folder.read("base.json");
  folder.write("base.json", base.replace(base.rfind("1}"), 1, "3"));
  ASSERT_EQ(run().status, 0);
  EXPECT_DOUBLE_EQ(energy(), 3 * before);
}

TEST_F(StoredPoints, AChangedPresetIsAnotherPoint) {
  ASSERT_EQ(run().status, 0);
  preset("lrr");
  expect_in(run().out, "(0 of them");
}

TEST_F(StoredPoints, AnEditedOrTornPointIsNamedAndRunAgain) {
  ASSERT_EQ(run().status, 0);
  const double before = energy();
  const fs::path point = fs::directory_iterator(folder.path() + "/out/points")->path();
  const std::string good = read_file(point.string());
  std::string edited = good;
  edited.replace(edited.find("\"cycles\": ") + 10, 1, "9");
  const std::string name = "out/points/" + point.filename().string();
  for (const std::string& bad : {edited, good.substr(0, good.size() / 2), std::string(), std::string("{}")}) {
    folder.write(name, bad);
    const ProgramResult result = run();
    EXPECT_EQ(result.status, 0);
    expect_in(result.err, name + ": not as it was written; saxpy, v");
    expect_in(result.out, "(0 of them");
    EXPECT_EQ(read_file(point.string()), good);
    EXPECT_DOUBLE_EQ(energy(), before);
  }
}

TEST_F(StoredPoints, AFileOfAnotherPointIsNamedAndNotBelieved) {
  std::string text = folder.read("e.json");
  folder.write("e.json", text.replace(text.find("\"value\": 8}"), 11, R"("value": 8}, 1)"));
  ASSERT_EQ(run().status, 0);
  const std::string before = folder.read("out/figures/f.csv");
  const auto file_of = [this](const std::string& value) {
    const std::string csv = folder.read("out/points.csv");
    const std::size_t at = csv.find("," + value + ",done,") + value.size() + 7;
    return "out/" + csv.substr(at, csv.find('\n', at) - at);
  };
  const std::string first = file_of("all"), second = file_of("1"), good = folder.read(second);
  ASSERT_NE(first, second);
  fs::copy_file(folder.path() + "/" + first, folder.path() + "/" + second,
                fs::copy_options::overwrite_existing);
  ProgramResult result = run_program({"experiment", "e.json", "--out", "out", "--collect"}, folder.path());
  EXPECT_EQ(result.status, 1);
  expect_in(result.err,
            "error: saxpy, v, s 1: has not been run: " + second + ": holds another run, \"saxpy, v, s all\"");
  expect_in(result.err, "of another configuration");
  result = run();
  EXPECT_EQ(result.status, 0);
  expect_in(result.err, "warning: " + second + ": holds another run");
  expect_in(result.out, "(1 of them");
  EXPECT_EQ(folder.read(second), good);
  EXPECT_EQ(folder.read("out/figures/f.csv"), before);
}

TEST_F(StoredPoints, AnotherFormatIsNamedAndRunAgain) {
  ASSERT_EQ(run().status, 0);
  const fs::path point = fs::directory_iterator(folder.path() + "/out/points")->path();
  const std::string good = read_file(point.string()), name = "out/points/" + point.filename().string();
  const std::string line = "  \"point_format\": 3,\n";
  std::string newer = good, older = good;
  newer.replace(newer.find(line), line.size(), "  \"point_format\": 4,\n");
  older.erase(older.find(line), line.size());
  for (const auto& [text, format] : {std::pair(newer, "4"), std::pair(older, "1")}) {
    folder.write(name, text);
    const std::string unusual = name + ": a point of format " + format + ", and this program reads format 3";
    const ProgramResult collect =
        run_program({"experiment", "e.json", "--out", "out", "--collect"}, folder.path());
    EXPECT_EQ(collect.status, 1);
    expect_in(collect.err, unusual);
    const ProgramResult result = run();
    EXPECT_EQ(result.status, 0);
    expect_in(result.err, "warning: " + unusual + "; saxpy, v");
    EXPECT_EQ(read_file(point.string()), good);
  }
}

TEST_F(StoredPoints, TwoExperimentsOnOneFolderBothEnd) {
  std::string text = folder.read("e.json");
  text.replace(text.find("\"value\": 8}"), 11, R"("value": 8}, 1, 2, 3, 4, 5, 6, 7)");
  folder.write("e.json", text);
  for (int round = 0; round < 3; ++round) {
    fs::remove_all(folder.path() + "/out");
    ProgramResult one, two;
    std::thread other([&] { two = run(); });
    one = run();
    other.join();
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(two.status, 0) << two.err;
    for (const auto& file : fs::recursive_directory_iterator(folder.path() + "/out"))
      EXPECT_NE(file.path().extension(), ".part") << file.path();
  }
}

TEST_F(StoredPoints, TitlesUnitsAndNamesRunNothing) {
  const std::string evil = "a `touch BAD` 'b' \\\"c\\\"\\nEOD\\n!touch BAD\\n $(touch BAD)";
  write(evil, evil, evil);
  const ProgramResult result = run();
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* place : {"BAD", "out/BAD", "out/figures/BAD"}) EXPECT_FALSE(folder.has(place)) << place;
  if (has_node()) {
    EXPECT_TRUE(folder.has("out/figures/f.svg"));
    for (const auto& file : fs::directory_iterator(folder.path() + "/out/figures"))
      EXPECT_NE(file.path().extension(), ".js") << "what drew it is gone";
  }
}

TEST_F(StoredPoints, AnInfiniteCoefficientIsRefused) {
  technology(1);
  std::string text = folder.read("t.json");
  folder.write("t.json", text.replace(text.rfind("1}"), 1, "1e999"));
  ProgramResult result = run();
  EXPECT_EQ(result.status, 1);
  expect_in(result.err, "too large");
  folder.write("t.json", text.replace(text.rfind("1e999"), 5, R"({"product": [1e300, 1e300]})"));
  result = run();
  EXPECT_EQ(result.status, 1);
  expect_in(result.err, "t.json:1");
}

TEST_F(StoredPoints, NoInputIsWrittenOver) {
  ASSERT_EQ(
      run_program({"experiment", "e.json", "--out", "out", "--markdown", "e.json"}, folder.path()).status, 1);
  EXPECT_NE(folder.read("e.json").find("\"figures\""), std::string::npos);
  fs::create_directories(folder.path() + "/in/figures");
  fs::rename(folder.path() + "/t.json", folder.path() + "/in/figures/f.csv");
  std::string text = folder.read("e.json");
  folder.write("e.json", text.replace(text.find("./t.json"), 8, "in/figures/f.csv"));
  const ProgramResult result = run_program({"experiment", "e.json", "--out", "in"}, folder.path());
  EXPECT_EQ(result.status, 1);
  expect_in(result.err, "written over the input");
  expect_in(folder.read("in/figures/f.csv"), "\"entries\"");
}

}  // namespace
}  // namespace heddle::test
