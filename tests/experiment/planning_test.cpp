// Tests the planning of experiments with very many configurations. Planning must cost little, so it computes
// a run's configuration in a shorter way than the run itself does. Both ways must give the same
// configuration.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/experiment/configurations.h"
#include "testbench/experiment/plan.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using namespace heddle::experiment;
using ::testing::HasSubstr;

const char* const kHead = R"({
  "name": "many", "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
  "sizes": {"quick": {"kernels": ["saxpy", "vector_add"], "launch": "small.json"}},
)";
const char* const kFigure = R"("figures": [{"id": "f", "title": "t", "kind": "table", "metric": "cycles"}]})";

TEST(Configurations, TheShortWayGivesWhatTheWholeConfigurationDoes) {
  for (const auto& entry : std::filesystem::directory_iterator(source("configs/experiments"))) {
    const ExperimentFile file = read_experiment(entry.path().string(), "quick");
    std::vector<const Figure*> figures;
    for (const Figure& figure : file.figures) figures.push_back(&figure);
    const Plan plan(file, figures);
    // Many runs share configurations, so it is enough to check every 37th run. The plan has computed the
    // hash of each configuration by the short way (Configurations::look_at), which reads only the fields that
    // differ. parameters() reads the whole configuration, and throws if its hash is another.
    for (std::size_t i = 0; i < plan.size(); i += 37)
      if (plan.refusal(i).empty()) {
        EXPECT_NO_THROW(plan.parameters(i)) << plan.label(i);
      }
  }
}

TEST(Configurations, EachLeavesNothingToTheNext) {
  const ConfigNode base = parse_config_text(R"({"gpu": {"preset": "fermi-gtx480", "sms": 1}})", "base");
  Configurations many(base);
  const auto fresh = [&base](const std::vector<std::string>& sets) {
    return Configurations::hash_of(Configurations(base).read({}, sets));
  };
  const std::vector<std::vector<std::string>> all = {
      {},
      {"gpu.sm.max_ctas=3"},
      {"gpu.sm.scheduler=gto", "gpu.memory.buffer_guards=least"},
      {"gpu.sm.scheduler={\"type\": \"two-level\", \"active_warps\": 4}", "gpu.sm.scheduler.active_warps=5"},
      {"gpu.sm.register_file.stages=[\"register-cache\"]",
       "gpu.sm.register_file.stages[register-cache].entries=4"},
      {"gpu.sm.register_file={\"collectors\": 3}"},
      {"power.technologies=[]"},
      {}};
  for (const auto& sets : all) EXPECT_EQ(many.look_at({}, sets).hash, fresh(sets)) << sets.size();
  EXPECT_THROW(many.look_at({}, {"gpu.sm.max_ctas=0"}), Error);
  EXPECT_THROW(many.look_at({}, {"gpu.sm.max_kittens=1"}), Error);
  EXPECT_EQ(many.look_at({}, {}).hash, fresh({}));
  EXPECT_EQ(many.look_at({}, {"gpu.sm.max_ctas=8"}).hash, many.look_at({}, {}).hash) << "the preset's own";
}

// Listing 20,000 runs must take less than 4 s of CPU time, program start and reading of files included. At
// the promised 0.1 ms per run, it takes 2 s.
TEST(Planning, TwentyThousandPointsCostLittle) {
  Folder folder;
  std::string values;
  for (int i = 0; i < 20000; ++i) values += (i ? ", " : "") + std::to_string(100000 + i);
  folder.write("e.json", std::string(kHead) +
                             R"("variants": [{"name": "v"}, {"name": "w", "with": ["virtualization"]}],
  "sweeps": [{"name": "s", "of": "watch.max_cycles", "variants": "w", "kernels": "saxpy", "values": [)" +
                             values + R"(]}],
  "figures": [{"id": "f", "title": "t", "kind": "table", "metric": "cycles", "sweep": "s"}]})");
  const auto cpu = [] {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec);
  };
  const double before = cpu();
  const ProgramResult all = run_program({"experiment", "e.json", "--list"}, folder.path());
  const double whole = cpu() - before;
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_EQ(std::count(all.out.begin(), all.out.end(), '\n'), 20000);
  EXPECT_LT(whole, 4.0) << "twice what is promised: the machine may be busy";
  const ProgramResult own =
      run_program({"experiment", "e.json", "--list", "--shard", "3/1000"}, folder.path());
  EXPECT_EQ(std::count(own.out.begin(), own.out.end(), '\n'), 20);
}

TEST(Planning, AShareWithAWrongValueOfAnotherIsPlanned) {
  Folder folder;
  folder.write("e.json", std::string(kHead) +
                             R"("variants": [{"name": "a"}, {"name": "b", "set": {"gpu.sm.max_ctas": 0}}],
  )" + kFigure);
  EXPECT_EQ(run_program({"experiment", "e.json", "--list", "--shard", "1/4"}, folder.path()).status, 0);
  const ProgramResult wrong =
      run_program({"experiment", "e.json", "--list", "--shard", "3/4"}, folder.path());
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.err, HasSubstr("variant \"b\""));
}

// Heddle names a kernel after the folder of its launch file. Here, this is the current folder, whose name is
// not in the path of the launch file.
TEST(Planning, ALaunchNextToTheExperimentHasTheNameOfTheFolder) {
  Folder folder;
  folder.write("launch.json", "{}");
  folder.write("e.json", R"({"name": "e", "base": {"gpu": {"preset": "fermi-gtx480"}},
    "sizes": {"quick": {"kernels": ["./launch.json"]}}, "variants": [{"name": "v"}],
    "figures": [{"id": "f", "title": "f", "kind": "table", "metric": "cycles"}]})");
  const ProgramResult result = run_program({"experiment", "e.json", "--list"}, folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("error: launch.json"));
}

TEST(Planning, TechniquesThatRefuseEachOtherAreACellWithItsReason) {
  Folder folder;
  for (const auto& [name, value] : {std::pair("three", "3"), std::pair("four", "4")})
    folder.write(std::string(name) + ".json",
                 std::string(R"({"description": "d", "set": {"gpu.sm.max_ctas": )") + value + "}}");
  folder.write("e.json", std::string(kHead) + R"("variants": [{"name": "a"},
    {"name": "both", "with": ["./three.json", "./four.json"]}],
  )" + kFigure);
  const auto run = [&folder](std::vector<std::string> more) {
    more.insert(more.begin(), {"experiment", "e.json", "--out", "out"});
    return run_program(more, folder.path());
  };
  const ProgramResult list = run({"--list"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("refused           saxpy, both: --with four --with three: gpu.sm.max_ctas "
                                  "is 4 in four, 3 in three"));
  const ProgramResult result = run({"--report"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("2 of 2 runs have a result (0 of them from an earlier time), 0 failed, 2 refused"));
  EXPECT_THAT(folder.read("out/results.csv"), HasSubstr(",\"refused: --with four --with three"));
  EXPECT_THAT(folder.read("out/points.csv"), HasSubstr("\"refused: --with four"));
  EXPECT_THAT(folder.read("out/figures/f.csv"), HasSubstr("saxpy,both,,value,refused\n"));
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, HasSubstr(" | refused |\n"));
  EXPECT_THAT(
      report,
      HasSubstr("* Refused: both: --with four --with three: gpu.sm.max_ctas is 4 in four, 3 in three"));
  EXPECT_THAT(report, ::testing::ContainsRegex("\\| mean \\| [0-9.]+ \\| refused \\|"));
  const std::string page = folder.read("out/report.html");
  EXPECT_THAT(page, HasSubstr("Refused: both"));
  EXPECT_THAT(page, HasSubstr(">refused<"));
  EXPECT_EQ(run({"--shard", "1/1"}).status, 0);
  EXPECT_EQ(run({"--collect"}).status, 0);
}

}  // namespace
}  // namespace heddle::test
