// Tests machines with many SMs. The modelled memory system must grow with the number of SMs; if it does not,
// the program must print a warning.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <utility>

#include "models/core/config_node.h"
#include "program.h"

namespace heddle::test {
namespace {

// Returns a launch file of a matrix product. The product has a grid of 64 CTAs, and takes less time on more
// SMs.
std::string matrix_launch() {
  ConfigNode launch = parse_config_file(source("testbench/kernels/matrix_mul/launch.json"));
  for (auto& [name, value] : launch.members) {
    if (name == "ptx") value = ConfigNode::make_string(source("testbench/kernels/matrix_mul/kernel.ptx"));
    if (name == "values")
      for (auto& extent : value.members) extent.second = ConfigNode::make_count(128);
  }
  return to_json(launch);
}

class MergedRequests : public ::testing::Test {
 protected:
  MergedRequests() { folder.write("launch.json", matrix_launch()); }

  ProgramResult run(int sms, const std::vector<std::string>& more,
                    const std::string& launch = "launch.json") {
    std::vector<std::string> arguments = {"run",
                                          "--launch",
                                          launch,
                                          "--gpu",
                                          "fermi-gtx480",
                                          "--check",
                                          "off",
                                          "--out",
                                          "out",
                                          "--set",
                                          fmt::format("gpu.sms={}", sms)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder.path());
  }
  std::int64_t cycles(int sms, const std::vector<std::string>& more) {
    const ProgramResult result = run(sms, more);
    EXPECT_EQ(result.status, 0) << result.err;
    return parse_config_file(folder.path() + "/out/result.json").find("total")->find("cycles")->integer;
  }
  Folder folder;
};

TEST_F(MergedRequests, MoreSmsLengthenNoComputeBoundGridIfTheMemoryScales) {
  std::int64_t before = 0;
  for (const int sms : {15, 30, 60}) {
    const std::int64_t now = cycles(sms, {"--set", "gpu.memory.scale=sms"});
    if (before) EXPECT_LE(now, before * 101 / 100) << sms << " SMs";
    before = now;
  }
}

TEST_F(MergedRequests, AMemoryForFarFewerSmsIsAWarning) {
  const auto warns = [&](int sms, const std::vector<std::string>& more) {
    const ProgramResult result = run(sms, more, source("testbench/kernels/vector_add/small.json"));
    EXPECT_EQ(result.status, 0) << result.err;
    return (result.out + result.err).find("gpu.memory was made for 15 SMs (made_for_sms)") !=
           std::string::npos;
  };
  EXPECT_FALSE(warns(15, {}));
  EXPECT_FALSE(warns(22, {}));
  EXPECT_TRUE(warns(23, {}));
  EXPECT_FALSE(warns(60, {"--set", "gpu.memory.scale=sms"}));
}

// Runs the SMs in step on one host thread. Then runs them again such that SMs run ahead of each other, on one
// thread and on several threads. All runs must give the same output and the same files.
void expect_the_same(const Folder& folder, const std::vector<std::string>& arguments, int status) {
  std::string in_step;
  for (const auto& [quantum, threads] : {std::pair{1, 1}, {8, 1}, {0, 1}, {64, 2}, {0, 4}}) {
    std::vector<std::string> all = {"run",          "--gpu",
                                    "fermi-gtx480", "--check",
                                    "off",          "--quiet",
                                    "--out",        "out",
                                    "--set",        fmt::format("watch.quantum={}", quantum),
                                    "--threads",    fmt::format("{}", threads)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::filesystem::remove_all(folder.path() + "/out");
    const ProgramResult result = run_program(all, folder.path());
    EXPECT_EQ(result.status, status) << result.err;
    std::string text = result.out + result.err;
    if (status == 0) text += folder.read("out/result.json") + folder.read("out/stats.csv");
    if (in_step.empty()) in_step = text;
    EXPECT_TRUE(text == in_step) << quantum << ", " << threads << ": " << result.err;
  }
}

TEST(Quantum, TheEarliestFailureIsReported) {
  Folder folder;
  folder.write("l.json", fmt::format(R"({{"ptx": "{}", "values": {{"n": 40000}}, "buffers": {{
    "a": {{"type": "f32", "count": "n", "init": {{"kind": "zeros"}}}},
    "b": {{"type": "f32", "count": "n", "init": {{"kind": "zeros"}}}},
    "c": {{"type": "f32", "count": "n", "init": {{"kind": "zeros"}}}}}},
    "steps": [{{"kernel": "vector_add", "grid": [400], "block": [256],
      "args": [{{"buffer": "a"}}, {{"buffer": "b"}}, {{"buffer": "c"}}, {{"s32": 102400}}]}}]}})",
                                     source("testbench/kernels/vector_add/kernel.ptx")));
  expect_the_same(folder, {"--launch", "l.json"}, 1);
}

TEST(Quantum, AnEstimateOnSeveralSmsIsTheSame) {
  Folder folder;
  expect_the_same(
      folder,
      {"--launch", source("testbench/kernels/scalar_prod/small.json"), "--estimate", "--set", "gpu.sms=4"},
      0);
}

TEST(Quantum, ALimitOfCyclesIsTheSame) {
  Folder folder;
  expect_the_same(
      folder,
      {"--launch", source("testbench/kernels/matrix_mul/small.json"), "--set", "watch.max_cycles=2000"}, 1);
}

// With `--check off`, no output may mention the reference, except for the line "not checked against the
// reference: ...".
TEST(Unchecked, NoRunSpeaksOfTheReference) {
  Folder folder;
  const std::string bfs = source("testbench/kernels/bfs/launch.json"),
                    vectors = source("testbench/kernels/vector_add/small.json");
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--launch", vectors},
                                               {"--launch", vectors, "--estimate"},
                                               {"--launch", vectors, "--sample-ctas", "4"},
                                               {"--launch", bfs, "--launches", "1"}}) {
    std::vector<std::string> arguments = {"run", "--gpu", "fermi-gtx480", "--check", "off"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_program(arguments, folder.path());
    ASSERT_EQ(result.status, 0) << result.err;
    std::istringstream lines(result.out + result.err);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("not checked against the reference: "))
        EXPECT_EQ(line.find("reference"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace heddle::test
