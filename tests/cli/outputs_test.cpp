// An output never replaces an input, is written completely or not at all, and is never lost without an error.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPtx = R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry add(.param .u64 a)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.u32 %r3, %r2, 1;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

class Outputs : public ::testing::Test {
 protected:
  Outputs() {
    fs::create_directories(folder.path() + "/data");
    folder.write("k.ptx", kPtx);
    write_launch(R"("init": {"kind": "range"})");
    run({"reference", "l.json", "--out", "data"});
    write_launch(R"("file": "data/a.npy")");
    folder.write("s.json", R"({"gpu": "fermi-gtx480", "launch": "l.json"})");
  }
  void write_launch(const std::string& source) {
    folder.write(
        "l.json",
        R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 64, )" + source +
            R"(}}, "steps": [{"kernel": "add", "grid": [1], "block": [64], "args": [{"buffer": "a"}]}],
 "outputs": [{"buffer": "a"}]})");
  }
  ProgramResult run(const std::vector<std::string>& arguments) {
    return run_program(arguments, folder.path());
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& file,
                      const std::string& why = "would be") {
    const std::string before = folder.read(file);
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 1) << result.out << result.err;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    EXPECT_EQ(folder.read(file), before) << file;
  }
  Folder folder;
};

TEST_F(Outputs, TheFolderOfAnInputIsNotWrittenOver) {
  expect_refused({"run", "s.json", "--out", "data"}, "data/a.npy");
  expect_refused({"reference", "l.json", "--out", "data"}, "data/a.npy");
  fs::create_symlink(folder.path() + "/data", folder.path() + "/other");
  expect_refused({"run", "s.json", "--out", "other"}, "data/a.npy");
}

TEST_F(Outputs, AWaveformStandsInTheFolderOfItsRun) {
  const std::string why = "is no file of the output folder";
  folder.write("notes.gtkw", "mine");
  for (const char* file : {"l.json", "k.ptx", "s.json"})
    expect_refused({"run", "s.json", "--out", "out", std::string("--vcd=../") + file}, file, why);
  expect_refused({"run", "s.json", "--out", "out", "--vcd=../notes.vcd"}, "notes.gtkw", why);
  expect_refused({"run", "s.json", "--out", "out", "--vcd=" + folder.path() + "/w.vcd"}, "s.json", why);
  expect_refused({"run", "s.json", "--out", "out", "--vcd=.heddle"}, "s.json", why);
}

TEST_F(Outputs, AWaveformIsNotWrittenOverAnotherOutput) {
  expect_refused({"run", "s.json", "--out", "out", "--vcd=result.json"}, "s.json");
  expect_refused({"run", "s.json", "--out", "out", "--vcd=stall.filter"}, "s.json");
}

TEST_F(Outputs, ATableOfACompareIsNotWrittenOverAnInput) {
  for (const char* file : {"l.json", "k.ptx", "s.json", "data/a.npy"})
    expect_refused({"compare", "./s.json", "--csv", file}, file);
}

TEST_F(Outputs, TheResultOfARerunIsNotWrittenOverTheFirst) {
  ASSERT_EQ(run({"run", "s.json", "--out", "out"}).status, 0);
  expect_refused({"rerun", "out/result.json", "--out", "out"}, "out/result.json");
}

TEST_F(Outputs, FilesAreReplacedAndNoPartsAreLeft) {
  for (int round = 0; round < 2; ++round)
    ASSERT_EQ(run({"run", "s.json", "--out", "out", "--vcd=w.vcd", "--profile"}).status, 0);
  EXPECT_TRUE(folder.has("out/w.vcd"));
  EXPECT_TRUE(folder.has("out/a.npy"));
  for (const auto& file : fs::directory_iterator(folder.path() + "/out"))
    EXPECT_NE(file.path().extension(), ".part") << file.path();
}

TEST_F(Outputs, ALogOfThePipelineNeedsNoFolderAndReplacesNoInput) {
  const ProgramResult alone = run({"run", "s.json", "--pipeline", "p.kanata"});
  ASSERT_EQ(alone.status, 0) << alone.err;
  EXPECT_NE(alone.out.find("pipeline of 14 instructions in p.kanata\n"), std::string::npos) << alone.out;
  ASSERT_EQ(run({"run", "s.json", "--out", "out", "--pipeline", "out/p.kanata"}).status, 0);
  EXPECT_EQ(folder.read("p.kanata"), folder.read("out/p.kanata"));
  for (const char* file : {"l.json", "k.ptx", "s.json", "data/a.npy"})
    expect_refused({"run", "s.json", "--pipeline", file}, file);
  expect_refused({"run", "s.json", "--out", "out", "--pipeline", "out/stats.csv"}, "out/stats.csv",
                 "another output");
  expect_refused({"run", "s.json", "--pipeline", "none/p.kanata"}, "s.json", "none/p.kanata: cannot write");
  expect_refused({"compare", "./s.json", "--set", "output.pipeline.file=p"}, "s.json",
                 "heddle compare cannot take it");
}

TEST_F(Outputs, FilesOfAnEarlierRunGo) {
  ASSERT_EQ(run({"run", "s.json", "--out", "out", "--vcd=w.vcd", "--profile"}).status, 0);
  folder.write("out/notes.txt", "mine");
  ASSERT_EQ(run({"run", "s.json", "--out", "out"}).status, 0);
  for (const char* file : {"out/w.vcd", "out/profile.txt", "out/profile.csv"})
    EXPECT_FALSE(folder.has(file)) << file;
  for (const char* file : {"out/notes.txt", "out/result.json", "out/a.npy"})
    EXPECT_TRUE(folder.has(file)) << file;
}

TEST_F(Outputs, AWordBehindVcdIsNoFileOfIt) {
  ASSERT_EQ(run({"run", "--out", "out", "--vcd", "s.json"}).status, 0);
  EXPECT_TRUE(folder.has("out/waves.vcd"));
}

TEST_F(Outputs, ASchedulerOfAFlagKeepsFittingParameters) {
  folder.write("t.json", R"({"like": "s.json", "scheduler": {"type": "two-level", "active_warps": 5}})");
  for (const char* scheduler : {"two-level", "gates"}) {
    ASSERT_EQ(run({"run", "t.json", "--out", "out", "--scheduler", scheduler}).status, 0);
    EXPECT_NE(folder.read("out/result.json").find("\"active_warps\": 5"), std::string::npos) << scheduler;
  }
  ASSERT_EQ(run({"run", "t.json", "--out", "out", "--scheduler", "gto"}).status, 0);
  EXPECT_EQ(folder.read("out/result.json").find("\"active_warps\":"), std::string::npos);
}

int status_of(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Outputs, LostStandardOutputIsAnError) {
  const std::string program = "cd " + folder.path() + " && " + program_path();
  EXPECT_EQ(status_of(program + " list --json > /dev/full 2> err"), 1);
  EXPECT_NE(folder.read("err").find("error: standard output"), std::string::npos) << folder.read("err");
  EXPECT_EQ(status_of(program + " run s.json > /dev/full 2> err"), 1);
  EXPECT_EQ(status_of(program + " run s.json --quiet > /dev/full 2> err"), 0) << "nothing is printed";
}

TEST_F(Outputs, AClosedStandardOutputPutsNothingIntoFiles) {
  const std::string program = "cd " + folder.path() + " && " + program_path();
  EXPECT_EQ(status_of(program + " run s.json --out out --vcd=w.vcd >&- 2> err"), 1);
  EXPECT_EQ(folder.read("out/w.vcd").substr(0, 8), "$version");
}

}  // namespace
}  // namespace heddle::test
