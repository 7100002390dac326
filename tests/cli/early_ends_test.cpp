// Events that end a command early are reported and leave no partial files: signals, limits, missing folders,
// insufficient memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "counting_kernel.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ProgramResult shell(const std::string& command, const Folder& folder) {
  return run_program({"-c", command}, folder.path(), 0, "/bin/sh");
}

const std::string kRun = program_path() + " run --launch l.json --gpu fermi-gtx480 --set gpu.sms=1 ";

class EarlyEnds : public testing::Test {
 protected:
  EarlyEnds() {
    folder_.write("k.ptx", kCountingPtx);
    launch(1, 100);
  }
  void launch(int launches, int rounds) { folder_.write("l.json", counting_launch(launches, rounds)); }
  Folder folder_;
};

TEST_F(EarlyEnds, AFileBeyondTheLimitOfSizesIsAnError) {
  launch(40, 2000);
  const ProgramResult run = shell("ulimit -f 4; exec " + kRun + "--quiet --out o --vcd", folder_);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("File too large"));
}

TEST_F(EarlyEnds, AClosedTerminalLeavesTheResultsAsInterruptDoes) {
  launch(1, 2000000000);
  const ProgramResult run =
      shell(kRun + "--quiet --check off --out o & sleep 2; kill -HUP $!; wait $!", folder_);
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_TRUE(folder_.has("o/result.json"));
  EXPECT_THAT(folder_.read("o/result.json"), HasSubstr("\"interrupted\": true"));
}

TEST_F(EarlyEnds, AnIgnoredHangUpStaysIgnored) {
  const ProgramResult run = shell("trap '' HUP; " + kRun + "--quiet & kill -HUP $!; wait $!", folder_);
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(EarlyEnds, AMissingTemporaryFolderIsNamed) {
  const ProgramResult run =
      shell("TMPDIR=/nonexistent exec " + program_path() + " exec -- /bin/true", folder_);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, testing::AnyOf(HasSubstr("TMPDIR (/nonexistent): cannot make a temporary folder"),
                                      HasSubstr("CUDA runtime")));
}

TEST_F(EarlyEnds, TemporaryFoldersOfKilledProcessesAreCleared) {
  const std::string host = [] {
    char name[256] = "";
    ::gethostname(name, sizeof name - 1);
    return std::string(name);
  }();
  const std::string left = "tmp/heddle-exec." + host + "-4194304.part-abcdef",
                    living = "tmp/heddle-exec." + host + "-" + std::to_string(::getpid()) + ".part-abcdef";
  for (const std::string& name : {left, living}) fs::create_directories(folder_.path() + "/" + name);
  const ProgramResult run = shell("TMPDIR=$PWD/tmp exec " + program_path() + " exec -- /bin/true", folder_);
  if (run.status != 0) GTEST_SKIP() << "no CUDA runtime was built: " << run.err;
  EXPECT_FALSE(folder_.has(left));
  EXPECT_TRUE(folder_.has(living));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() + "/tmp"), fs::directory_iterator()), 1);
}

// A killed process leaves an incomplete file under a temporary name. The next command that writes the same
// file must remove it.
TEST_F(EarlyEnds, PartsOfFilesOfKilledProcessesAreCleared) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const auto part_of = [&](const std::string& name, long process) {
    return name + "." + host.data() + "-" + std::to_string(process) + ".part";
  };
  constexpr long kNoProcess = 4194304;
  const std::vector<std::string> run = {"run",          "--launch", "saxpy/small", "--gpu",
                                        "fermi-gtx480", "--set",    "gpu.sms=1",   "--quiet"};
  const auto with = [&run](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return more;
  };
  const std::vector<std::pair<std::string, std::vector<std::string>>> rows = {
      {"p.kanata", with({"--pipeline", "p.kanata", "--out", "o"})},
      {"o/result.json", with({"--out", "o"})},
      {"a.html", {"report", "o", "--out", "a.html"}},
      {"a.heddle", {"pack", "o", "--quiet", "--out", "a.heddle"}},
      {"a.csv", {"compare", "o/result.json", "o/result.json", "--quiet", "--csv", "a.csv"}}};
  for (const auto& [name, words] : rows) {
    folder_.write(part_of(name, kNoProcess), "half");
    folder_.write(part_of(name, ::getpid()), "half");
    const ProgramResult result = run_program(words, folder_.path());
    EXPECT_EQ(result.status, 0) << name << ": " << result.err;
    EXPECT_TRUE(folder_.has(name));
    EXPECT_FALSE(folder_.has(part_of(name, kNoProcess))) << name;
    if (name != "o/result.json")
      EXPECT_TRUE(folder_.has(part_of(name, ::getpid()))) << name << ": its process lives";
  }
  // A process was killed while it unpacked into the folder. The next `unpack` into this folder must succeed.
  fs::create_directories(folder_.path() + "/u/run");
  folder_.write("u/" + part_of("unpack", kNoProcess), "");
  folder_.write("u/run/" + part_of("result.json", kNoProcess), "half");
  folder_.write("u/run/stats.csv", "half");
  const std::vector<std::string> unpack = {"unpack", "a.heddle", "--out", "u"};
  EXPECT_EQ(run_program(unpack, folder_.path()).status, 0);
  EXPECT_EQ(folder_.read("u/run/stats.csv"), folder_.read("o/stats.csv"));
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path() + "/u"))
    EXPECT_FALSE(entry.path().string().ends_with(".part")) << entry.path();
  EXPECT_THAT(run_program(unpack, folder_.path()).err, HasSubstr("this folder is not empty"));
  // If a file of the user is also in the folder, `unpack` must refuse the folder and keep the file.
  fs::remove_all(folder_.path() + "/u");
  fs::create_directories(folder_.path() + "/u");
  folder_.write("u/" + part_of("unpack", kNoProcess), "");
  folder_.write("u/notes.txt", "mine");
  EXPECT_THAT(run_program(unpack, folder_.path()).err, HasSubstr("this folder is not empty"));
  EXPECT_TRUE(folder_.has("u/notes.txt"));
}

TEST_F(EarlyEnds, TooManyCtasAreNamed) {
  std::string text = folder_.read("l.json");
  text.replace(text.find("\"grid\": [1]"), 11, "\"grid\": [2147483647, 65535, 65535]");
  folder_.write("l.json", text);
  for (const char* command : {"run --launch l.json --gpu fermi-gtx480", "reference l.json"}) {
    const ProgramResult run = shell("exec " + program_path() + " " + command, folder_);
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("a grid of 2147483647 x 65535 x 65535, "));
    EXPECT_THAT(run.err, HasSubstr("(allowed: up to 4294967295 CTAs)"));
  }
}

TEST_F(EarlyEnds, CtasWithoutAPlaceTakeNoMemory) {
  std::string text = folder_.read("l.json");
  text.replace(text.find("\"grid\": [1]"), 11, "\"grid\": [60000, 60000]");
  text.replace(text.find("{\"buffer\": \"a\"}"), 15, "{\"u64\": 8}");
  folder_.write("l.json", text);
  const ProgramResult run = shell("exec " + kRun, folder_);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("store of 4 bytes at 0x8 is out of bounds"));
  EXPECT_LT(run.peak_kb, 200 * 1024);
}

TEST_F(EarlyEnds, ANulInANameIsRefused) {
  std::string text = folder_.read("l.json");
  folder_.write("l.json", text.replace(text.find("k.ptx"), 5, "k.ptx\\u0000x"));
  const ProgramResult run = shell("exec " + kRun, folder_);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("l.json:1: \"k.ptx\\x00x\" has a NUL character"));
}

TEST_F(EarlyEnds, TooLittleMemoryIsOneLine) {
  for (const int mib : {60, 80, 100, 120, 140, 160}) {
    const ProgramResult run = shell(
        "ulimit -v " + std::to_string(mib * 1024) + "; exec " + kRun + "--quiet --out o --vcd", folder_);
    if (run.status == 0 || run.err.find("error while loading shared libraries") != std::string::npos)
      continue;
    EXPECT_EQ(run.status, 1) << mib << " MiB: " << run.err;
    EXPECT_EQ(run.err, "error: not enough memory\n") << mib << " MiB";
  }
}

}  // namespace
}  // namespace heddle::test
