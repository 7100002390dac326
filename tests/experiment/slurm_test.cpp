#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/experiment/command.h"
#include "testbench/launch/command.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A substitute for the program sbatch. The substitute stores its arguments, one per line, and counts how
// often it is called. The tests then run the job scripts as Slurm would.
class Slurm : public ::testing::Test {
 protected:
  Slurm() {
    sbatch("#!/bin/sh\nprintf '%s\\n' \"$@\" -- >>" + tools.path() + "/asked\ngrep -c '^--$' " +
           tools.path() + "/asked\n");
    ::setenv("PATH", (tools.path() + ":" + old_path).c_str(), 1);
  }
  ~Slurm() override { ::setenv("PATH", old_path.c_str(), 1); }
  void sbatch(const std::string& script) {
    tools.write("sbatch", script);
    fs::permissions(tools.path() + "/sbatch", fs::perms::owner_all);
  }
  ProgramResult run_in(const std::string& place, std::vector<std::string> more) {
    fs::create_directories(folder.path() + "/" + place);
    folder.write(place + "/tiny.json", text);
    more.insert(more.begin(), {"experiment", "tiny.json", "--jobs", "1"});
    return run_program(more, folder.path() + "/" + place);
  }
  static int run_script(const std::string& script, int share = 0) {
    ::setenv("SLURM_ARRAY_TASK_ID", std::to_string(share).c_str(), 1);
    const launch::CommandOutcome outcome = launch::run_command({"sh", script});
    ::unsetenv("SLURM_ARRAY_TASK_ID");
    return outcome.start_error + outcome.status;
  }
  std::string text = read_file(source("tests/experiment/tiny.json"));
  Folder folder, tools;
  const std::string old_path = std::getenv("PATH");
};

TEST_F(Slurm, ScriptsAndSubmissionsAreOfWhatIsMissing) {
  const auto run = [this](std::vector<std::string> more) {
    more.insert(more.begin(), {"--out", "out"});
    return run_in("here", std::move(more)).out;
  };
  const std::string scripts = fs::canonical(folder.path()).string() + "/here/out/slurm/";
  EXPECT_THAT(run({"--slurm", "--slurm-options", "--time=60"}),
              HasSubstr("5 of 5 runs are missing: job 1 runs them in 5 tasks"));
  for (const int share : {2, 3, 4, 5}) EXPECT_EQ(run_script(scripts + "runs.sh", share), 0);
  EXPECT_THAT(run({"--slurm"}), HasSubstr("1 of 5 runs are missing: job 3 runs them in 1 tasks"));
  EXPECT_EQ(run_script(scripts + "runs.sh", 1), 0);
  EXPECT_EQ(run_script(scripts + "collect.sh"), 0);
  EXPECT_EQ(run({"--slurm"}), "job 5 writes the report in out\n");
  EXPECT_EQ(tools.read("asked"), "--parsable\n--time=60\n--array=1,2,3,4,5\n" + scripts + "runs.sh\n--\n" +
                                     "--parsable\n--time=60\n--dependency=afterany:1\n" + scripts +
                                     "collect.sh\n--\n--parsable\n--array=1\n" + scripts + "runs.sh\n--\n" +
                                     "--parsable\n--dependency=afterany:3\n" + scripts +
                                     "collect.sh\n--\n--parsable\n" + scripts + "collect.sh\n--\n");
  ASSERT_EQ(run_in("here", {"--out", "local", "--quiet"}).status, 0);
  for (const char* file : {"results.csv", "results.sqlite", "points.csv", "report.md", "figures/loads.csv"})
    EXPECT_EQ(folder.read(std::string("here/out/") + file), folder.read(std::string("here/local/") + file))
        << file;
}

// The current folder's name contains shell commands, and the name of the experiment has a blank. The job
// scripts must use these names only as text.
TEST_F(Slurm, NoNameOfAFolderIsACommand) {
  text.replace(text.find("\"tiny\""), 6, "\"my tiny\"");
  const std::string place = "R&D;touch${IFS}X; `touch Y` $(touch Z) it's \"100%\" #1 | touch W";
  const ProgramResult result = run_in(place, {"--slurm", "--only", "warps"});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string slurm =
      fs::canonical(folder.path()).string() + "/" + place + "/results/my tiny-quick/slurm/";
  EXPECT_EQ(tools.read("asked"), "--parsable\n--array=1,2\n" + slurm + "runs.sh\n--\n" +
                                     "--parsable\n--dependency=afterany:1\n" + slurm + "collect.sh\n--\n");
  const std::string script = read_file(slurm + "runs.sh");
  EXPECT_THAT(script, HasSubstr("#SBATCH --job-name=\"heddle-my tiny\"\n"));
  EXPECT_THAT(script, HasSubstr("it's \\\"100%%\\\" #1 | touch W/results/my tiny-quick/slurm/%A_%a.txt\"\n"));
  for (const int share : {1, 2}) EXPECT_EQ(run_script(slurm + "runs.sh", share), 0);
  EXPECT_EQ(run_script(slurm + "collect.sh"), 0);
  EXPECT_TRUE(fs::exists(slurm + "../report.md"));
  for (const char* name : {"X", "Y", "Z", "W"}) {
    EXPECT_FALSE(fs::exists(name)) << name;
    EXPECT_FALSE(folder.has(name)) << name;
    EXPECT_FALSE(folder.has(place + "/" + name)) << name;
  }
}

TEST_F(Slurm, OptionsAreWordsAndNoCommands) {
  const ProgramResult good = run_in(
      "here", {"--slurm", "--slurm-options", "--comment='a; touch X' -p \"b c\" --mail-user=$(touch\\ X)"});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(tools.read("asked"),
              HasSubstr("\n--comment=a; touch X\n-p\nb c\n--mail-user=$(touch X)\n--array"));
  for (const char* wrong : {"--time=60; touch X", "evil.sh", "-- evil.sh", "--time=60 evil.sh"})
    EXPECT_THAT(run_in("here", {"--slurm", "--slurm-options", wrong}).err, HasSubstr("is no option"))
        << wrong;
  EXPECT_THAT(run_in("here", {"--slurm", "--slurm-options", "--comment='a"}).err,
              HasSubstr("error: --slurm-options: a quote without its end"));
  EXPECT_FALSE(folder.has("here/X"));
}

TEST_F(Slurm, WhatSbatchSaysIsSaid) {
  sbatch("#!/bin/sh\necho 'sbatch: error: no such partition' >&2\nexit 127\n");
  EXPECT_EQ(run_in("here", {"--slurm"}).err, "error: sbatch: sbatch: error: no such partition\n");
  sbatch("#!/bin/sh\nexit 3\n");
  EXPECT_THAT(run_in("here", {"--slurm"}).err, HasSubstr("ended with status 3"));
  sbatch("#!/no/such/interpreter\n");
  ::setenv("PATH", tools.path().c_str(), 1);
  EXPECT_THAT(run_in("here", {"--slurm"}).err, HasSubstr("cannot start sbatch: No such file"));
  ::setenv("PATH", folder.path().c_str(), 1);
  EXPECT_THAT(run_in("here", {"--slurm"}).err, HasSubstr("there is no sbatch here"));
}

TEST(Words, AreSplitAsAShellDoesAndNothingIsExpanded) {
  using experiment::split_words;
  EXPECT_THAT(split_words("  a  'b c'\\ d \"e\\\"f\\n\" ''  g\\ h;$(i)\t`j`\n", "here"),
              ElementsAre("a", "b c d", "e\"f\\n", "", "g h;$(i)", "`j`"));
  EXPECT_TRUE(split_words(" ", "here").empty());
  EXPECT_THROW(split_words("a \"b", "here"), Error);
  const std::string odd = "it's $(x) `y` \\ \"z\" & ; \n *";
  EXPECT_EQ(launch::run_command({"sh", "-c", "printf %s. " + experiment::shell_quoted(odd)}).text, odd + ".");
}

}  // namespace
}  // namespace heddle::test
