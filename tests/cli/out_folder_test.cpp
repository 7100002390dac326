// An output folder holds one run. Files that Heddle did not write are never replaced, files of the previous
// run are removed, and two runs at the same time do not mix.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "counting_kernel.h"
#include "models/core/config_node.h"
#include "program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

class OutFolder : public ::testing::Test {
 protected:
  OutFolder() {
    folder.write("k.ptx", kCountingPtx);
    folder.write("l.json", counting_launch(1, 20));
    folder.write("s.json", R"({"gpu": {"preset": "fermi-gtx480", "sms": 1}, "launch": "l.json"})");
  }
  ProgramResult run(const std::vector<std::string>& arguments) {
    return run_program(arguments, folder.path());
  }
  void expect_run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "s.json", "--out", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& why) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  Folder folder;
};

TEST_F(OutFolder, WhatNoRunWroteIsNotReplaced) {
  fs::create_directories(folder.path() + "/out");
  for (const char* file : {"result.json", "stats.csv", "a.npy", "printf.txt", "intervals.csv"}) {
    folder.write(std::string("out/") + file, "mine");
    expect_refused({"run", "s.json", "--out", "out", "--interval", "10"}, "no run of Heddle wrote it");
    EXPECT_EQ(folder.read(std::string("out/") + file), "mine");
    fs::remove(folder.path() + "/out/" + file);
  }
  folder.write("out/a.npy", "mine");
  expect_refused({"reference", "l.json", "--out", "out"}, "no run of Heddle wrote it");
  EXPECT_EQ(folder.read("out/a.npy"), "mine");
  EXPECT_FALSE(folder.has("out/.heddle"));
}

TEST_F(OutFolder, ALinkInTheFolderIsNotFollowed) {
  expect_run({});
  folder.write("mine.csv", "mine");
  fs::remove(folder.path() + "/out/stats.csv");
  fs::create_symlink(folder.path() + "/mine.csv", folder.path() + "/out/stats.csv");
  expect_refused({"run", "s.json", "--out", "out"}, "no run of Heddle wrote it");
  EXPECT_EQ(folder.read("mine.csv"), "mine");
}

TEST_F(OutFolder, NothingOfAnOlderRunStays) {
  expect_run({"--interval", "10", "--profile", "--vcd=w.vcd"});
  for (const char* file : {"intervals.csv", "profile.txt", "w.vcd", "w.gtkw", "stall.filter"})
    EXPECT_TRUE(folder.has(std::string("out/") + file)) << file;
  folder.write("out/notes.txt", "mine");
  expect_run({});
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder.path() + "/out"))
    files.push_back(entry.path().filename());
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (std::vector<std::string>{".heddle", "a.npy", "energy.csv", "notes.txt", "result.json",
                                             "stats.csv"}));
  std::vector<std::string> named;
  const ConfigNode result = parse_config_file(folder.path() + "/out/result.json");
  for (const ConfigNode& file : result.find("files")->items) named.push_back(file.text);
  std::sort(named.begin(), named.end());
  EXPECT_EQ(named, (std::vector<std::string>{"a.npy", "energy.csv", "result.json", "stats.csv"}));
}

TEST_F(OutFolder, AFolderOfAProgramThatKeptNoListIsKnownByItsResult) {
  expect_run({"--profile"});
  fs::remove(folder.path() + "/out/.heddle");
  expect_run({});
  EXPECT_FALSE(folder.has("out/profile.txt"));
}

TEST_F(OutFolder, AComparisonHasOneOfItsOwn) {
  const auto compare = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"compare", "./s.json", "./s.json+warped-gates", "--out", "both"});
    return more;
  };
  fs::create_directories(folder.path() + "/both");
  folder.write("both/comparison.json", "mine");
  expect_refused(compare({}), "no run of Heddle wrote it");
  EXPECT_EQ(folder.read("both/comparison.json"), "mine");
  fs::remove(folder.path() + "/both/comparison.json");
  ASSERT_EQ(run(compare({"--report"})).status, 0);
  EXPECT_TRUE(folder.has("both/report.html") && folder.has("both/1/result.json"));
  ASSERT_EQ(run(compare({})).status, 0);
  EXPECT_TRUE(folder.has("both/comparison.json"));
  EXPECT_FALSE(folder.has("both/report.html")) << "of the comparison before";
}

// While a process runs, its lock must keep a second run out of the folder. After the process was killed, a
// second run must be able to use the folder.
TEST_F(OutFolder, TwoRunsAtOneTimeDoNotMix) {
  expect_run({});
  const int other = ::open((folder.path() + "/out/.heddle").c_str(), O_RDWR);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  const std::string before = folder.read("out/result.json");
  for (const char* command : {"run", "rerun", "reference"}) {
    const std::string file = command == std::string("run")     ? "s.json"
                             : command == std::string("rerun") ? "out/result.json"
                                                               : "l.json";
    if (command == std::string("rerun")) {
      fs::create_directories(folder.path() + "/first");
      fs::copy(folder.path() + "/out/result.json", folder.path() + "/first/result.json");
    }
    expect_refused({command, command == std::string("rerun") ? "first/result.json" : file, "--out", "out"},
                   "another run is writing into this folder");
  }
  EXPECT_EQ(folder.read("out/result.json"), before);
  ::close(other);
  expect_run({});
}

TEST_F(OutFolder, AKilledRunBlocksNoOtherRunAndLeavesNothing) {
  folder.write("long.json", counting_launch(1, 2000000000));
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    if (::chdir(folder.path().c_str()) == 0)
      ::execl(program_path().c_str(), "heddle", "run", "s.json", "--launch", "long.json", "--check", "off",
              "--out", "out", "--interval", "1000", static_cast<char*>(nullptr));
    std::_Exit(127);
  }
  const auto parts = [this] {
    std::size_t count = 0;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder.path() + "/out", ec))
      count += entry.path().extension() == ".part";
    return count;
  };
  for (int wait = 0; wait < 500 && parts() < 2; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(parts(), 2u) << "rows and launches are written as they come";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  expect_run({});
  EXPECT_EQ(parts(), 0u);
}

TEST_F(OutFolder, AFullDiskIsTheReason) {
  const ProgramResult result = run({"compare", "./s.json", "--csv", "/dev/full"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("/dev/full: cannot write this file: No space left on device"), std::string::npos)
      << result.err;
}

TEST_F(OutFolder, APipeAsAnInputIsRefused) {
  for (const char* name : {"pipe.json", "pipe.ptx"})
    ASSERT_EQ(::mkfifo((folder.path() + "/" + name).c_str(), 0600), 0);
  const std::string why = "is a pipe or a device";
  expect_refused({"run", "pipe.json"}, why);
  expect_refused({"run", "s.json", "--launch", "pipe.json"}, why);
  expect_refused({"compile", "pipe.ptx"}, why);
  expect_refused({"compile", "/dev/zero"}, why);
}

TEST_F(OutFolder, ARerunNeedsToKnowWhatWasRead) {
  expect_run({});
  const std::string file = folder.path() + "/out/result.json";
  const ConfigNode whole = parse_config_file(file);
  ConfigNode result = whole;
  result.find("inputs")->items.clear();
  folder.write("out/none.json", to_json(result));
  expect_refused({"rerun", "out/none.json"}, "no list \"inputs\"");
  result = whole;
  result.find("inputs")->items.erase(result.find("inputs")->items.begin() + 1);
  folder.write("out/less.json", to_json(result));
  expect_refused({"rerun", "out/less.json"}, "k.ptx: the \"inputs\" of out/less.json do not name this file");
  EXPECT_EQ(run({"rerun", "out/result.json"}).status, 0);
}

TEST_F(OutFolder, TheCompilersSourceIsNotItsOutput) {
  folder.write("x.cu", "mine");
  folder.write("y.ptx", "mine");
  for (const char* words : {"x.cu -o x.cu", "x.cu -o ./x.cu", "y.ptx"}) {
    const std::string command = "cd " + folder.path() + " && CLANG_CUDA=true " + source("scripts/heddle-cc") +
                                " " + words + " 2> err";
    EXPECT_NE(std::system(command.c_str()), 0) << words;
    EXPECT_NE(folder.read("err").find("would be written over the source"), std::string::npos)
        << words << ": " << folder.read("err");
  }
}

}  // namespace
}  // namespace heddle::test
