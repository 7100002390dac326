// Many processes on one folder: every run is done once, by shares or by whoever comes first, and the tables
// are those of one process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <set>
#include <sstream>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Shared {
 public:
  Shared() { folder.write("tiny.json", read_file(source("tests/experiment/tiny.json"))); }
  ProgramResult run(std::vector<std::string> more, const std::string& out = "out") const {
    std::vector<std::string> arguments = {"experiment", "tiny.json", "--out", out, "--jobs", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder.path());
  }
  std::vector<std::string> hashes() const {
    std::istringstream lines(run({"--list"}).out);
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line.substr(0, line.find(' ')));
    return all;
  }
  std::size_t files(const std::string& extension) const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder.path() + "/out/points"))
      count += entry.path().extension() == extension;
    return count;
  }
  void expect_as_local() const {
    ASSERT_EQ(run({"--quiet"}, "local").status, 0);
    for (const char* file : {"results.csv", "points.csv", "report.md", "figures/loads.csv"})
      EXPECT_EQ(folder.read(std::string("out/") + file), folder.read(std::string("local/") + file)) << file;
  }
  Folder folder;
};

std::string host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

TEST(Shards, TogetherAreTheWholeExperiment) {
  const Shared shared;
  EXPECT_THAT(shared.run({"--shard", "1/2"}).out,
              HasSubstr("share 1/2: 3 of 3 runs have a result, 0 failed"));
  EXPECT_FALSE(shared.folder.has("out/results.csv"));
  const ProgramResult early = shared.run({"--collect"});
  EXPECT_EQ(early.status, 1);
  EXPECT_THAT(early.err, HasSubstr("has not been run"));
  EXPECT_EQ(shared.files(".json"), 3u) << "--collect runs nothing";
  EXPECT_EQ(shared.run({"--shard", "2/2"}).status, 0);
  EXPECT_EQ(shared.run({"--collect"}).status, 0);
  EXPECT_EQ(shared.files(".json"), 5u);
  shared.expect_as_local();
  for (const char* wrong : {"0/2", "3/2", "2", "1/2x", "a/b"})
    EXPECT_THAT(shared.run({"--shard", wrong}).err, HasSubstr("k/n with 1 <= k <= n")) << wrong;
}

// Each says how many runs it found done: the others are its own.
TEST(Shards, ProcessesOnOneFolderDoEveryRunOnce) {
  const Shared shared;
  const auto own = [&shared] {
    const std::string out = shared.run({}).out;
    int done = 0, all = 0, before = 0;
    EXPECT_EQ(std::sscanf(out.c_str(), "%d of %d runs have a result (%d of them", &done, &all, &before), 3)
        << out;
    EXPECT_EQ(done, 5);
    return done - before;
  };
  auto other = std::async(std::launch::async, own);
  const int mine = own();
  EXPECT_EQ(mine + other.get(), 5);
  EXPECT_EQ(shared.files(".claim"), 0u);
}

TEST(Shards, ClaimsOfTheDeadAreTakenAndOthersAreLeft) {
  const Shared shared;
  const std::vector<std::string> hashes = shared.hashes();
  ASSERT_EQ(hashes.size(), 5u);
  fs::create_directories(shared.folder.path() + "/out/points");
  const auto claim = [&](std::size_t i, const std::string& owner) {
    shared.folder.write("out/points/" + hashes[i] + ".claim", owner + "\n");
  };
  claim(0, host() + " 2147483646");       // no such process
  claim(1, "another-host-of-ours 4711");  // may be alive
  claim(2, "another-host-of-ours 4711");
  fs::last_write_time(shared.folder.path() + "/out/points/" + hashes[2] + ".claim",
                      fs::file_time_type::clock::now() - std::chrono::minutes(10));
  const ProgramResult result = shared.run({"--shard", "1/1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("4 of 5 runs have a result, 0 failed, 1 are at work elsewhere"));
  EXPECT_FALSE(shared.folder.has("out/points/" + hashes[1] + ".json"));
}

// An sbatch that keeps what it is told. The scripts are then run as Slurm would, without one share.
TEST(Slurm, ScriptsAndSubmissionsAreOfWhatIsMissing) {
  const Shared shared;
  const Folder tools;
  tools.write("sbatch",
              "#!/bin/sh\necho \"$@\" >>" + tools.path() + "/asked\nwc -l <" + tools.path() + "/asked\n");
  fs::permissions(tools.path() + "/sbatch", fs::perms::owner_all);
  const std::string old_path = std::getenv("PATH");
  ::setenv("PATH", (tools.path() + ":" + old_path).c_str(), 1);
  const auto run_share = [&](int share) {
    return std::system(("SLURM_ARRAY_TASK_ID=" + std::to_string(share) + " sh " + shared.folder.path() +
                        "/out/slurm/runs.sh >/dev/null")
                           .c_str());
  };
  EXPECT_THAT(shared.run({"--slurm", "--slurm-options", "--time=60"}).out,
              HasSubstr("5 of 5 runs are missing: job 1 runs them in 5 tasks"));
  for (const int share : {1, 2, 4, 5}) EXPECT_EQ(run_share(share), 0);
  EXPECT_THAT(shared.run({"--slurm"}).out, HasSubstr("1 of 5 runs are missing: job 3 runs them in 1 tasks"));
  EXPECT_EQ(run_share(3), 0);
  EXPECT_EQ(std::system(("sh " + shared.folder.path() + "/out/slurm/collect.sh >/dev/null").c_str()), 0);
  EXPECT_EQ(shared.run({"--slurm"}).out, "job 5 writes the report in out\n");
  ::setenv("PATH", old_path.c_str(), 1);
  const std::string scripts = fs::canonical(shared.folder.path()).string() + "/out/slurm/";
  EXPECT_EQ(tools.read("asked"), "--parsable --time=60 --array=1,2,3,4,5 " + scripts + "runs.sh\n" +
                                     "--parsable --time=60 --dependency=afterany:1 " + scripts +
                                     "collect.sh\n" + "--parsable --array=3 " + scripts + "runs.sh\n" +
                                     "--parsable --dependency=afterany:3 " + scripts + "collect.sh\n" +
                                     "--parsable " + scripts + "collect.sh\n");
  shared.expect_as_local();
}

}  // namespace
}  // namespace heddle::test
