// Tests an experiment that many processes execute in one folder. Each run must be executed once, either by
// the process whose fixed share contains it, or by the first process that claims it. The tables must equal
// those of a single process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <set>
#include <sstream>
#include <thread>

#include "testbench/experiment/costs.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
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
    for (const char* file :
         {"results.csv", "sweeps.csv", "results.sqlite", "points.csv", "report.md", "figures/loads.csv"})
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
  EXPECT_EQ(shared.run({"--cost"}).out, "runs 5, made 0 in 0.0 CPU-seconds, to be made 5 in ?\n");
  EXPECT_THAT(shared.run({"--shard", "1/2"}).out,
              HasSubstr("share 1/2: 3 of 3 runs have a result, 0 failed"));
  EXPECT_THAT(shared.run({"--cost"}).out,
              ContainsRegex("runs 5, made 3 in [0-9.]+ CPU-seconds, to be made 2 in about [0-9.]+\n"));
  EXPECT_FALSE(shared.folder.has("out/results.csv"));
  const ProgramResult early = shared.run({"--collect"});
  EXPECT_EQ(early.status, 1);
  EXPECT_THAT(early.err, HasSubstr("has not been run"));
  EXPECT_EQ(shared.files(".json"), 3u) << "--collect runs nothing";
  EXPECT_EQ(shared.run({"--shard", "2/2"}).status, 0);
  EXPECT_EQ(shared.run({"--collect"}).status, 0);
  EXPECT_EQ(shared.files(".json"), 5u);
  EXPECT_THAT(shared.run({"--cost"}).out,
              ContainsRegex("runs 5, made 5 in [0-9.]+ CPU-seconds, to be made 0\n"));
  shared.expect_as_local();
  for (const char* wrong : {"", "0/2", "3/2", "2", "1/2x", "a/b"})
    EXPECT_THAT(shared.run({"--shard", wrong}).err, HasSubstr("k/n with 1 <= k <= n")) << wrong;
}

TEST(Shards, AShardIsCutByCostAndRunsOnlyItsShare) {
  EXPECT_EQ(experiment::shares_of({1, 1, 9, 1, 1, 5}, 3), (std::vector<int>{3, 3, 1, 3, 3, 2}));
  EXPECT_EQ(experiment::shares_of({2, 2, 2, 2}, 2), (std::vector<int>{1, 2, 1, 2}));
  EXPECT_EQ(experiment::shares_of({}, 2), std::vector<int>{});
  const Shared shared;
  EXPECT_THAT(shared.run({"--cut", "2"}).out, HasSubstr("out/cuts/2: --shard K/2"));
  std::istringstream cut(shared.folder.read("out/cuts/2"));
  std::string name;
  int share = 0;
  std::size_t first = 0, all = 0;
  for (; cut >> name >> share; ++all) first += share == 1;
  EXPECT_EQ(all, 5u);
  EXPECT_EQ(shared.run({"--shard", "1/2"}).status, 0);
  EXPECT_EQ(shared.files(".json"), first);
  EXPECT_EQ(shared.run({"--shard", "2/2"}).status, 0);
  EXPECT_EQ(shared.files(".json"), 5u);
  EXPECT_EQ(shared.run({"--collect"}).status, 0);
  shared.expect_as_local();
  shared.folder.write("out/cuts/2", "abc 3\n");
  EXPECT_THAT(shared.run({"--shard", "1/2"}).err, HasSubstr("out/cuts/2:1: no run and its share"));
}

TEST(Shards, ProcessesOnOneFolderDoEveryRunOnce) {
  const Shared shared;
  const auto own = [&shared] {
    const std::string out = shared.run({}).out;
    int done = 0, all = 0, before = 0;
    const std::size_t end = out.rfind('\n', out.find(" runs have a result"));
    const std::string made = end == std::string::npos ? out : out.substr(end + 1);
    EXPECT_EQ(std::sscanf(made.c_str(), "%d of %d runs have a result (%d of them", &done, &all, &before), 3)
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
  claim(0, host() + " 2147483646");
  claim(1, "another-host-of-ours 4711");
  claim(2, "another-host-of-ours 4711");
  fs::last_write_time(shared.folder.path() + "/out/points/" + hashes[2] + ".claim",
                      fs::file_time_type::clock::now() - std::chrono::minutes(10));
  const ProgramResult result = shared.run({"--shard", "1/1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("4 of 5 runs have a result, 0 failed, 1 are running elsewhere"));
  EXPECT_FALSE(shared.folder.has("out/points/" + hashes[1] + ".json"));
}

TEST(Shards, NoClaimIsLeftAfterAKillAndARepetition) {
  const Shared shared;
  const std::vector<std::string> hashes = shared.hashes();
  ASSERT_EQ(shared.run({}).status, 0);
  shared.folder.write("out/points/" + hashes[0] + ".claim", host() + " 2147483646\n");
  shared.folder.write("out/points/0123456789abcdef.claim", host() + " 2147483646\n");
  EXPECT_THAT(shared.run({}).out, HasSubstr("5 of 5 runs have a result (5 of them"));
  EXPECT_EQ(shared.files(".claim"), 0u);
}

// A claim with a date in the future cannot be from a running process, so the claimed run must be treated as
// free.
TEST(Shards, AClaimOfTheFutureIsOfTheDead) {
  const Shared shared;
  fs::create_directories(shared.folder.path() + "/out/points");
  const std::string claim = "out/points/" + shared.hashes()[0] + ".claim";
  shared.folder.write(claim, "another-host-of-ours 4711\n");
  fs::last_write_time(shared.folder.path() + "/" + claim,
                      fs::file_time_type::clock::now() + std::chrono::hours(9));
  EXPECT_THAT(shared.run({}).out, HasSubstr("5 of 5 runs have a result (0 of them"));
}

TEST(Shards, WaitingIsSaid) {
  const Shared shared;
  fs::create_directories(shared.folder.path() + "/out/points");
  const std::string claim = "out/points/" + shared.hashes()[0] + ".claim";
  shared.folder.write(claim, "another-host-of-ours 4711\n");
  auto running = std::async(std::launch::async, [&shared] { return shared.run({}); });
  for (int i = 0; i < 600 && shared.files(".json") < 4; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  fs::remove(shared.folder.path() + "/" + claim);
  const ProgramResult result = running.get();
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("waiting for 1 runs that others are at work on"));
  EXPECT_THAT(result.err, HasSubstr("another-host-of-ours 4711"));
}

TEST(Shards, LeftoversOfTheDeadAreRemovedAndOfTheLivingKept) {
  const Shared shared;
  const std::string first = shared.hashes()[0], second = shared.hashes()[1];
  fs::create_directories(shared.folder.path() + "/out/points");
  const auto write = [&](const std::string& name, bool old) {
    shared.folder.write("out/" + name, "half");
    if (old)
      fs::last_write_time(shared.folder.path() + "/out/" + name,
                          fs::file_time_type::clock::now() - std::chrono::minutes(10));
  };
  const std::string dead = "." + host() + "-2147483646",
                    alive = "." + host() + "-" + std::to_string(::getpid());
  const std::vector<std::string> gone = {
      "points/" + first + ".json" + dead + ".part", "points/" + first + ".claim" + dead,
      "points/" + first + ".claim" + dead + ".stale", "results.csv" + dead + ".part",
      "points/" + first + ".json.another-host-of-ours-4711.part"};
  const std::vector<std::string> kept = {
      "points/" + first + ".json" + alive + ".part", "points/" + first + ".claim" + alive,
      "results.csv" + alive + ".part", "points/" + second + ".json.another-host-of-ours-4711.part",
      "notes-2024.part"};
  for (const std::string& name : gone) write(name, true);
  for (const std::string& name : kept) write(name, true);
  write("points/" + first + ".json.young-host-of-ours-4711.part", false);
  shared.folder.write("out/points/" + second + ".claim",
                      // this claim belongs to a process on another host, which may still be running
                      "another-host-of-ours 4711\n");
  EXPECT_EQ(shared.run({"--shard", "1/1"}).status, 0);
  for (const std::string& name : gone) EXPECT_FALSE(shared.folder.has("out/" + name)) << name;
  for (const std::string& name : kept) EXPECT_TRUE(shared.folder.has("out/" + name)) << name;
  EXPECT_TRUE(shared.folder.has("out/points/" + first + ".json.young-host-of-ours-4711.part"));
}

}  // namespace
}  // namespace heddle::test
