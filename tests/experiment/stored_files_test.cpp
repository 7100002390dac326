// Files that are stored for later runs contain a key of their inputs. If a stored file was replaced by
// another file, Heddle must not use that file. If a folder or pipe has the name of a stored file, Heddle must
// replace the folder or pipe. The program's file readers are built with sanitizers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Returns a kernel that runs long enough to be stored. `work`: an additional instruction in its loop, or
// nothing.
std::string looping_kernel(const std::string& work) {
  return R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r6, 0;
  mov.u32 %r7, 1;
L:
  mad.lo.u32 %r7, %r7, 3, %r6;
  )" + work +
         R"(add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, %r1;
  @%p1 bra L;
  st.global.u32 [%rd3], %r7;
  ret;
}
)";
}

std::string looping_launch(const std::string& ptx, int rounds) {
  return R"({"ptx": ")" + ptx +
         R"(", "buffers": {"a": {"type": "u32", "count": 12800, "init": {"kind": "zeros"}}},
 "steps": [{"kernel": "k", "grid": [200], "block": [64], "args": [{"buffer": "a"}, {"u32": )" +
         std::to_string(rounds) + R"(}]}], "outputs": [{"buffer": "a"}]})";
}

class StoredFiles : public testing::Test {
 protected:
  StoredFiles() {
    folder_.write("k.ptx", looping_kernel(""));
    folder_.write("c.ptx", looping_kernel("xor.b32 %r7, %r7, 5;\n  "));
    folder_.write("a.json", looping_launch("k.ptx", 20));
    folder_.write("b.json", looping_launch("k.ptx", 60));
    folder_.write("c.json", looping_launch("c.ptx", 20));
  }
  ProgramResult run(const std::string& name, const std::string& store, const std::string& out) {
    return run_program({"run", "--launch", name + ".json", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1",
                        "--estimate", "--quiet", "--set", "watch.untimed_store=" + store, "--out", out},
                       folder_.path(), 0, sanitized_program_path());
  }
  // Returns the files of stored untimed executions, the largest first. Files that also contain the used cache
  // lines therefore come before files without them.
  std::vector<fs::path> files_of(const std::string& store) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.path() + "/" + store))
      files.push_back(entry.path());
    std::sort(files.begin(), files.end(),
              [](const auto& x, const auto& y) { return fs::file_size(x) > fs::file_size(y); });
    return files;
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  Folder folder_;
};

TEST_F(StoredFiles, AnUntimedExecutionOfAnotherLaunchIsExecutedAgain) {
  for (const char* name : {"a", "b", "c"})
    ASSERT_EQ(run(name, std::string("s") + name, std::string("o") + name).status, 0) << name;
  const std::string good = folder_.read("ob/a.npy");
  EXPECT_NE(folder_.read("oa/a.npy"), good);
  const std::vector<fs::path> own = files_of("sb");
  ASSERT_GE(own.size(), 1u);
  for (const char* other : {"sa", "sc"}) {
    fs::remove_all(path("x"));
    fs::create_directories(path("x"));
    const std::vector<fs::path> others = files_of(other);
    for (std::size_t i = 0; i < own.size(); ++i)
      fs::copy_file(others.at(i), path("x/" + own[i].filename().string()));
    ProgramResult again = run("b", "x", "ox");
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr(".untimed: holds another execution; the launch is executed again"));
    EXPECT_EQ(folder_.read("ox/a.npy"), good);
    again = run("b", "x", "ox");
    EXPECT_THAT(again.err, Not(HasSubstr("executed again"))) << "it was replaced";
  }
}

TEST_F(StoredFiles, ATornUntimedFileAFolderOrAPipeIsReplaced) {
  ASSERT_EQ(run("b", "s", "ob").status, 0);
  const std::string good = folder_.read("ob/a.npy");
  for (const char* what : {"torn", "folder", "pipe", "link"}) {
    const fs::path file = files_of("s").front();
    if (what == std::string("torn")) {
      fs::resize_file(file, fs::file_size(file) / 2);
    } else {
      fs::remove(file);
      if (what == std::string("folder")) fs::create_directories(file / "within");
      if (what == std::string("pipe")) ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
      if (what == std::string("link")) fs::create_symlink(path("a.json"), file);
    }
    const ProgramResult again = run("b", "s", "ox");
    EXPECT_EQ(again.status, 0) << what << again.err;
    EXPECT_THAT(again.err, HasSubstr("the launch is executed again")) << what;
    EXPECT_EQ(folder_.read("ox/a.npy"), good) << what;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file))) << what;
    EXPECT_EQ(folder_.read("a.json"), looping_launch("k.ptx", 20)) << "what a link names is not written to";
  }
}

TEST_F(StoredFiles, EveryPointOverEveryOtherIsRunAgain) {
  folder_.write("e.json", R"({
  "name": "e", "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
  "sizes": {"quick": {"kernels": [{"name": "a", "launch": "a.json"}, {"name": "c", "launch": "c.json"}]}},
  "variants": [{"name": "lrr", "set": {"gpu.sm.scheduler": "lrr"}}, {"name": "gto", "set": {"gpu.sm.scheduler": "gto"}}],
  "figures": [{"id": "f", "title": "t", "kind": "table", "metric": "cycles"}]})");
  const auto experiment = [&] {
    return run_program({"experiment", "e.json", "--out", "out"}, folder_.path(), 0, sanitized_program_path());
  };
  ASSERT_EQ(experiment().status, 0);
  const std::string good = folder_.read("out/figures/f.csv");
  std::vector<fs::path> points;
  for (const auto& entry : fs::directory_iterator(path("out/points")))
    if (entry.path().extension() == ".json") points.push_back(entry.path());
  ASSERT_EQ(points.size(), 4u);
  for (std::size_t by = 1; by < points.size(); ++by) {
    std::vector<std::string> texts;
    for (const fs::path& point : points) texts.push_back(read_file(point.string()));
    for (std::size_t i = 0; i < points.size(); ++i)
      folder_.write("out/points/" + points[(i + by) % points.size()].filename().string(), texts[i]);
    const ProgramResult again = experiment();
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr("holds another run"));
    EXPECT_THAT(again.out, HasSubstr("(0 of them"));
    EXPECT_EQ(folder_.read("out/figures/f.csv"), good);
  }
  fs::remove(points[0]);
  ASSERT_EQ(::mkfifo(points[0].c_str(), 0600), 0);
  fs::remove(points[1]);
  fs::create_directories(points[1] / "within");
  const ProgramResult again = experiment();
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("(2 of them"));
  EXPECT_EQ(folder_.read("out/figures/f.csv"), good);
}

// If a sanitizer has reported a fault, the program's exit status is above 3.
void expect_no_finding(const ProgramResult& result) {
  EXPECT_LE(result.status, 3) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("Sanitizer")));
  EXPECT_THAT(result.err, Not(HasSubstr("runtime error")));
}

// Puts every kind of stored file in the place of every other kind. The command that reads the file must give
// the same values as before, or refuse the file.
TEST_F(StoredFiles, NoKindStandsForAnother) {
  const auto sanitized = [&](const std::vector<std::string>& words) {
    const ProgramResult result = run_program(words, folder_.path(), 0, sanitized_program_path());
    expect_no_finding(result);
    return result;
  };
  for (const char* name : {"a", "b"})
    ASSERT_EQ(run(name, std::string("s") + name, std::string("o") + name).status, 0) << name;
  ASSERT_EQ(sanitized({"run", "--launch", "a.json", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--quiet",
                       "--out", "oc"})
                .status,
            0);
  ASSERT_EQ(sanitized({"compare", "oa/result.json", "ob/result.json", "--quiet", "--out", "both"}).status, 0);
  folder_.write("e.json", R"({"name": "e", "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
  "sizes": {"quick": {"kernels": [{"name": "a", "launch": "a.json"}]}}, "variants": [{"name": "v"}],
  "figures": [{"id": "f", "title": "t", "kind": "table", "metric": "cycles"}]})");
  ASSERT_EQ(sanitized({"experiment", "e.json", "--out", "out"}).status, 0);
  fs::copy(source("tests/fuzz/corpus/capture"), path("capture"), fs::copy_options::recursive);
  for (const char* program : {"p", "q"}) {
    fs::create_directories(path(program));
    fs::copy_file(source("tests/fuzz/corpus/program.json"), path(std::string(program) + "/program.json"));
  }

  // One function for each kind of stored file. It runs a command that reads the file, and returns the values
  // that the command computes, or nothing if the command refuses the file.
  const auto untimed = [&] {
    const ProgramResult again = run("a", "sa", "again");
    expect_no_finding(again);
    return again.status == 0 ? folder_.read("again/a.npy") : "";
  };
  const auto experiment = [&] {
    return sanitized({"experiment", "e.json", "--out", "out"}).status == 0 ? folder_.read("out/figures/f.csv")
                                                                           : "";
  };
  const auto captured = [&] {
    const ProgramResult again = sanitized({"reference", "capture/0000-add/launch.json", "--out", "again"});
    return again.status == 0 ? folder_.read("again/m1_cudaMalloc_1.npy") : "";
  };
  const auto compared = [&](const char* first, const char* second) {
    const ProgramResult again = sanitized({"compare", first, second, "--json"});
    return again.status == 0 ? again.out : "";
  };
  const auto programs = [&] { return compared("p/program.json", "q/program.json"); };
  const auto runs = [&] { return compared("oa/result.json", "ob/result.json"); };
  const auto prices = [&] {
    const ProgramResult again = sanitized({"price", "oc/result.json", "--json"});
    return again.status == 0 ? again.out : "";
  };
  struct Kind {
    std::string name, file;
    std::function<std::string()> values;
    bool is_made_again;
  };
  fs::path point;
  for (const auto& entry : fs::directory_iterator(path("out/points")))
    if (entry.path().extension() == ".json") point = entry.path();
  const std::vector<Kind> kinds = {{"untimed", files_of("sa").front().string(), untimed, true},
                                   {"point", point.string(), experiment, true},
                                   {"captured launch", path("capture/0000-add/launch.json"), captured, false},
                                   {"pages", path("capture/pages.bin"), captured, false},
                                   {"module", path("capture/module-0.ptx"), captured, false},
                                   {"program", path("p/program.json"), programs, false},
                                   {"result", path("oa/result.json"), runs, false},
                                   {"counters", path("oc/stats.csv"), prices, false},
                                   {"comparison", path("both/comparison.json"), {}, false}};
  std::vector<std::string> contents;
  for (const Kind& kind : kinds) contents.push_back(read_file(kind.file));
  for (std::size_t to = 0; to < kinds.size(); ++to) {
    if (!kinds[to].values) continue;
    const std::string good = kinds[to].values();
    EXPECT_NE(good, "") << kinds[to].name;
    for (std::size_t from = 0; from < kinds.size(); ++from) {
      // A comparison accepts the results of a run and the results of a program, and names the kind of each
      // result. These two kinds of files may therefore be exchanged.
      const bool both_compared = (kinds[from].name == "program" || kinds[from].name == "result") &&
                                 (kinds[to].name == "program" || kinds[to].name == "result");
      if (from == to || both_compared) continue;
      SCOPED_TRACE(kinds[from].name + " over " + kinds[to].name);
      std::ofstream(kinds[to].file, std::ios::binary) << contents[from];
      const std::string now = kinds[to].values();
      EXPECT_TRUE(now == good || (now.empty() && !kinds[to].is_made_again));
      std::ofstream(kinds[to].file, std::ios::binary) << contents[to];
    }
  }
}

TEST_F(StoredFiles, AComparisonNamesTheProgramOfTheFile) {
  const std::string own = read_file(source("tests/fuzz/corpus/program.json"));
  std::string other = own;
  other.replace(other.find("\"./add\""), 7, "\"./other\"");
  const std::size_t at = other.find("\"total\""), cycles = other.find("\"cycles\": ", at) + 10;
  other.replace(cycles, other.find_first_of(",\n", cycles) - cycles, "123456");
  for (const char* name : {"p", "q"}) fs::create_directories(path(name));
  folder_.write("p/program.json", own);
  folder_.write("q/program.json", own);
  const auto compare = [&] {
    return run_program({"compare", "p/program.json", "q/program.json", "--json"}, folder_.path(), 0,
                       sanitized_program_path());
  };
  const ProgramResult alike = compare();
  ASSERT_EQ(alike.status, 0) << alike.err;
  EXPECT_THAT(alike.out, Not(HasSubstr("./other")));
  folder_.write("q/program.json", other);
  const ProgramResult unlike = compare();
  ASSERT_EQ(unlike.status, 0) << unlike.err;
  EXPECT_THAT(unlike.out, HasSubstr("123456"));
  EXPECT_THAT(unlike.out, HasSubstr("./other")) << "the comparison says that another program ran";
}

// kernel32.ptx contains a hash over its sources and its text. The file must be made again if the sources or
// the text change.
TEST_F(StoredFiles, NarrowPtxIsThatOfItsSources) {
  for (const char* file : {"compile", "clang_flags", "shim.h", "textures.h"})
    fs::copy_file(source(std::string("testbench/kernels/") + file), path(file));
  for (const char* kernel : {"seven", "nine"}) {
    fs::create_directories(path(kernel));
    folder_.write(std::string(kernel) + "/kernel.cu",
                  "#include \"../shim.h\"\nextern \"C\" __global__ void k(unsigned* a, unsigned n) {\n"
                  "  a[threadIdx.x] = n + " +
                      std::string(kernel == std::string("seven") ? "7" : "9") + ";\n}\n");
    folder_.write(
        std::string(kernel) + "/l.json",
        R"({"ptx": "kernel.ptx", "buffers": {"a": {"type": "u32", "count": 32, "init": {"kind": "zeros"}}},
 "steps": [{"kernel": "k", "grid": [1], "block": [32], "args": [{"buffer": "a"}, {"u32": 5}]}],
 "outputs": [{"buffer": "a"}]})");
  }
  const ProgramResult made = run_program({"seven", "nine"}, folder_.path(), 0, path("compile"));
  if (made.status != 0) GTEST_SKIP() << "no clang-14: " << made.err;
  const auto narrow = [&](const std::string& kernel) {
    const ProgramResult result =
        run_program({"run", "--launch", kernel + "/l.json", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1",
                     "--set", "address_size=32-bit", "--quiet", "--out", "on"},
                    folder_.path(), 0, sanitized_program_path());
    expect_no_finding(result);
    EXPECT_EQ(result.status, 0) << result.err;
    return std::pair(folder_.read("on/a.npy"), result.err);
  };
  const std::string good = narrow("seven").first;
  ASSERT_NE(narrow("nine").first, good);
  const fs::path file = path("seven/kernel32.ptx");
  const std::string own = read_file(file.string()), other = folder_.read("nine/kernel32.ptx");
  const std::string own_seal = own.substr(0, own.find('\n')), other_text = other.substr(other.find('\n'));
  EXPECT_THAT(own_seal, HasSubstr("made by Heddle"));
  const std::vector<std::string> unfit = {other, own_seal + other_text, own.substr(0, own.size() / 2),
                                          own.substr(0, own.find('\n') / 2), "// made by Heddle: sources"};
  for (const std::string& text : unfit) {
    folder_.write("seven/kernel32.ptx", text);
    const auto [values, said] = narrow("seven");
    EXPECT_EQ(values, good) << text.substr(0, 200);
    EXPECT_THAT(said, HasSubstr("it is made again")) << text.substr(0, 200);
    EXPECT_EQ(read_file(file.string()), own);
  }
  for (const char* what : {"folder", "pipe"}) {
    fs::remove(file);
    if (what == std::string("folder")) fs::create_directories(file / "within");
    if (what == std::string("pipe")) ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    const auto [values, said] = narrow("seven");
    EXPECT_EQ(values, good) << what;
    EXPECT_THAT(said, HasSubstr("it is made again")) << what;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file))) << what;
  }
}

TEST_F(StoredFiles, CountersOfAnotherRunAreNotPriced) {
  for (const char* name : {"a", "b"})
    ASSERT_EQ(run_program({"run", "--launch", std::string(name) + ".json", "--gpu", "fermi-gtx480", "--set",
                           "gpu.sms=1", "--quiet", "--out", std::string("o") + name},
                          folder_.path())
                  .status,
              0);
  fs::create_directories(path("x"));
  fs::copy_file(path("oa/result.json"), path("x/result.json"));
  fs::copy_file(path("ob/stats.csv"), path("x/stats.csv"));
  const auto total_of = [&](const std::string& result) {
    const ProgramResult priced = run_program({"price", result}, folder_.path(), 0, sanitized_program_path());
    return priced.status == 0 ? priced.out : "";
  };
  const std::string good = total_of("oa/result.json"), mixed = total_of("x/result.json");
  ASSERT_FALSE(good.empty());
  EXPECT_TRUE(mixed.empty() || mixed == good) << mixed;
}

// Some commands read tables together with result.json. These commands must refuse a table of another run.
TEST_F(StoredFiles, TablesOfAnotherRunAreRefused) {
  for (const char* name : {"a", "b"})
    ASSERT_EQ(run_program({"run", "--launch", std::string(name) + ".json", "--gpu", "fermi-gtx480", "--set",
                           "gpu.sms=1", "--quiet", "--profile", "--interval", "100", "--out",
                           std::string("o") + name},
                          folder_.path())
                  .status,
              0);
  const std::map<std::string, std::vector<std::vector<std::string>>> readers = {
      {"profile.csv",
       {{"why", "oa"}, {"report", "oa", "--out", "a.md"}, {"report", "oa", "--out", "a.html"}}},
      {"intervals.csv", {{"report", "oa", "--out", "a.html"}}},
      {"stats.csv", {{"price", "oa/result.json"}}}};
  for (const auto& [table, commands] : readers) {
    const std::string own = folder_.read("oa/" + table), other = folder_.read("ob/" + table);
    ASSERT_NE(own, other);
    for (const std::vector<std::string>& words : commands) {
      SCOPED_TRACE(table + ": " + words[0]);
      folder_.write("oa/" + table, own);
      EXPECT_EQ(run_program(words, folder_.path()).status, 0);
      folder_.write("oa/" + table, other);
      const ProgramResult refused = run_program(words, folder_.path());
      EXPECT_EQ(refused.status, 1) << refused.out;
      EXPECT_THAT(refused.err, HasSubstr("oa/" + table + ": this table is not the one that the run"));
      folder_.write("oa/" + table, own);
    }
  }
  // `heddle price` writes a copy of the run with other prices and its own stats.csv. The copy contains the
  // hash of this table, so the copy can be read.
  ASSERT_EQ(run_program({"price", "oa/result.json", "--quiet", "--out", "oc"}, folder_.path()).status, 0);
  EXPECT_EQ(run_program({"price", "oc/result.json", "--quiet"}, folder_.path()).status, 0);
  folder_.write("oc/stats.csv", folder_.read("ob/stats.csv"));
  EXPECT_EQ(run_program({"price", "oc/result.json", "--quiet"}, folder_.path()).status, 1);
}

}  // namespace
}  // namespace heddle::test
