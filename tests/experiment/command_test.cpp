// Tests heddle experiment with two very small kernels. After a stop or a failure, the command must continue
// with the missing runs. It must write the same files for any number of jobs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "models/core/config_node.h"
#include "tests/cli/program.h"
#include "tests/support/node.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

// Returns an experiment file. The report of the experiment shows values that depend only on the kernels'
// instructions, not on timing.
std::string experiment(const std::string& more_of_gto = "") {
  std::string text = read_file(source("tests/experiment/tiny.json"));
  const std::string gto = "{\"gpu.sm.scheduler\": \"gto\"";
  return text.insert(text.find(gto) + gto.size(), more_of_gto);
}

ProgramResult run_experiment(const Folder& folder, std::vector<std::string> more = {},
                             int signal_after_ms = 0) {
  std::vector<std::string> arguments = {"experiment", "tiny.json", "--out", "out"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, folder.path(), signal_after_ms);
}

std::size_t points(const Folder& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() + "/out/points"))
    count += entry.path().extension() == ".json";
  return count;
}

void expect_in(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in\n" << text;
}

TEST(Experiment, WritesTheReportOfTheGoldenFile) {
  Folder folder;
  folder.write("tiny.json", experiment());
  const ProgramResult result = run_experiment(folder, {"--markdown", "docs.md"});
  ASSERT_EQ(result.status, 0) << result.out << result.err;
  // Four runs do not belong to the sweep, and one run does. The sweep has a second value, 48. This value
  // equals the preset's value, so it needs no further run.
  expect_in(result.out, {"5 of 5 runs have a result (0 of them", "0 failed", "4 figures"});
  EXPECT_EQ(points(folder), 5u);
  const std::string report = folder.read("docs.md");
  const std::string golden = source("tests/experiment/golden/report.md");
  if (std::getenv("HEDDLE_WRITE_GOLDEN"))
    fs::copy_file(folder.path() + "/docs.md", golden, fs::copy_options::overwrite_existing);
  EXPECT_EQ(report, read_file(golden)) << "HEDDLE_WRITE_GOLDEN=1 writes it anew";
  EXPECT_EQ(folder.read("out/report.md").substr(0, 40), report.substr(0, 40));
  ASSERT_EQ(run_experiment(folder, {"--report"}).status, 0);
  const std::string page = folder.read("out/report.html");
  expect_in(page, {">In short</h2>", "<td>loads and stores</td>", "What does not", "another", "all else"});
  EXPECT_LT(page.find(">In short</h2>"), page.find("runs have a result"));
  expect_in(page, {"<th title=\"100 * sm.issue.issued_fp / sm.issue.issued\">FP, %</th>"});
  expect_in(folder.read("out/figures/loads.csv"),
            {"kernel,variant,value,metric,number\n", "\nmean,gto,,value,"});
  if (!has_node()) GTEST_SKIP() << "no node";
  for (const char* file :
       {"out/figures/loads.svg", "out/figures/warps.svg", "docs/loads.svg", "docs/warps.svg"})
    EXPECT_GT(fs::file_size(folder.path() + "/" + file), 1000u) << file;
  EXPECT_FALSE(folder.has("out/figures/ratio.svg")) << "a table has no picture";
}

TEST(Experiment, AnyNumberOfJobsWritesTheSame) {
  Folder one, three;
  one.write("tiny.json", experiment());
  three.write("tiny.json", experiment());
  ASSERT_EQ(run_experiment(one, {"--jobs", "1", "--quiet", "--report"}).status, 0);
  ASSERT_EQ(run_experiment(three, {"--jobs", "3", "--quiet", "--report"}).status, 0);
  for (const char* file :
       {"out/results.csv", "out/sweeps.csv", "out/columns.csv", "out/results.sqlite", "out/points.csv",
        "out/report.md", "out/figures/loads.csv", "out/report.html", "out/figures/warps.csv"})
    EXPECT_EQ(one.read(file), three.read(file)) << file;
}

TEST(Experiment, GoesOnWhereItWas) {
  Folder folder;
  folder.write("tiny.json", experiment());
  const ProgramResult part = run_experiment(folder, {"--only", "warps"});
  ASSERT_EQ(part.status, 0) << part.err;
  expect_in(part.out, {"2 of 2 runs", "1 figure in"});
  expect_in(run_experiment(folder).out, {"5 of 5 runs have a result (2 of them"});
  expect_in(run_experiment(folder).out, {"5 of 5 runs have a result (5 of them"});
  const std::string before = folder.read("out/results.csv");
  // A host that crashes while it writes a result leaves an incomplete file under a temporary name. The run
  // must then be executed again.
  const auto point = fs::directory_iterator(folder.path() + "/out/points")->path();
  fs::rename(point, point.string() + ".part");
  expect_in(run_experiment(folder).out, {"(4 of them"});
  EXPECT_EQ(folder.read("out/results.csv"), before);
  // If a variant changes, the variant's runs must be executed again: the runs of both kernels, and the runs
  // of the variant's sweep.
  folder.write("tiny.json", experiment(R"(, "gpu.sm.max_ctas": 3)"));
  expect_in(run_experiment(folder).out, {"5 of 5 runs have a result (2 of them"});
}

TEST(Experiment, AFailingRunDoesNotStopTheOthers) {
  Folder folder;
  folder.write("tiny.json", experiment(R"(, "watch.max_cycles": 50)"));
  const ProgramResult result = run_experiment(folder);
  EXPECT_EQ(result.status, 1);
  expect_in(result.out, {"2 of 5 runs have a result", "3 failed"});
  expect_in(result.err, {"error: saxpy, gto: ", "error: vector_add, gto: ", "50"});
  expect_in(folder.read("out/report.md"),
            {"## Runs without a result", "saxpy, gto, warps 8: ", "| saxpy |", "| - |"});
  expect_in(folder.read("out/results.csv"), {"saxpy,gto,,,gto,50,48,failed,", "saxpy,lrr,,,lrr,0,48,done,"});
  expect_in(run_experiment(folder).out, {"2 of 5 runs have a result (2 of them", "3 failed"});
}

TEST(Experiment, AFigureThatCannotBeDrawnDoesNotStopTheOthers) {
  Folder folder;
  std::string text = experiment();
  text.replace(text.find("lanes_per_instruction"), 21, "lanes_an_instruction");
  folder.write("tiny.json", text);
  const ProgramResult result = run_experiment(folder);
  EXPECT_EQ(result.status, 1);
  expect_in(result.err, {"error: figure warps: tiny.json:", "lanes_an_instruction"});
  expect_in(folder.read("out/report.md"), {"Not available", "## Loads and stores"});
}

TEST(Experiment, CtrlCKeepsWhatThereIs) {
  Folder folder;
  std::string text = experiment();
  text.replace(text.find("\"saxpy\", \"vector_add\""), 21, "\"saxpy\", \"matrix_mul\"");
  text.replace(text.find("small.json"), 10, "launch.json");
  folder.write("tiny.json", text);
  const ProgramResult result = run_experiment(folder, {"--jobs", "1"}, 400);
  EXPECT_EQ(result.status, 130) << result.out << result.err;
  expect_in(folder.read("out/results.csv"), {",not run"});
  EXPECT_EQ(folder.read("out/results.sqlite").substr(0, 15), "SQLite format 3") << "also after a stop";
  expect_in(folder.read("out/report.md"), {"were not begun or not finished"});
}

// Every published figure that an experiment names under `covers` must occur in its report.
// The test lists the runs of two sizes of each file: of the first, and of one that depends on the file's place.
// HEDDLE_FULL lists the runs of every size.
TEST(Experiment, EveryFileOfHeddleIsComplete) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(source("configs/experiments")))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const Folder folder;
  for (std::size_t file = 0; file < files.size(); ++file) {
    const ConfigNode root = parse_config_file(files[file].string());
    const auto& sizes = root.find("sizes")->members;
    const std::size_t other = sizes.size() < 2 ? 0 : 1 + file % (sizes.size() - 1);
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      if (!std::getenv("HEDDLE_FULL") && n != 0 && n != other) continue;
      const ProgramResult result = run_program(
          {"experiment", files[file].string(), "--size", sizes[n].first, "--list"}, folder.path());
      EXPECT_EQ(result.status, 0) << files[file] << sizes[n].first << result.err;
      EXPECT_GT(std::count(result.out.begin(), result.out.end(), '\n'), 5) << files[file] << sizes[n].first;
    }
  }
}

}  // namespace
}  // namespace heddle::test
