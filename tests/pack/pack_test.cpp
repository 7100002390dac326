// `heddle pack` puts a run and its inputs into one file. After unpacking in another folder, Heddle must be
// able to repeat, compare and show this run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "models/core/config_node.h"
#include "testbench/launch/pages.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKernel = R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
  .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  add.u32 %r5, %r5, %r1;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";

std::string launch_of(const std::string& ptx, const std::string& buffer) {
  return R"({"ptx": ")" + ptx + R"(", "buffers": {"a": )" + buffer +
         R"(}, "steps": [{"kernel": "k", "grid": [2], "block": [64], "args": [{"buffer": "a"}, {"u32": 3}]}]})";
}

class Packs : public testing::Test {
 protected:
  Packs() {
    for (const char* name : {"/mine/code", "/mine/l"}) fs::create_directories(folder_.path() + name);
    folder_.write("mine/code/k.ptx", kKernel);
    folder_.write("mine/data.bin", std::string(512, '\1'));
    folder_.write("mine/l/launch.json",
                  launch_of("../code/k.ptx", R"({"type": "u32", "file": "../data.bin"})"));
  }
  ProgramResult ok(const std::vector<std::string>& command, const std::string& in = "") const {
    ProgramResult result = run_program(command, folder_.path() + "/" + in);
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }
  void run(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"run",          "--launch", "mine/l",    "--gpu",
                                        "fermi-gtx480", "--set",    "gpu.sms=1", "--profile",
                                        "--quiet",      "--out",    out};
    command.insert(command.end(), more.begin(), more.end());
    ok(command);
  }
  void remove(const std::string& name) const { fs::remove_all(folder_.path() + "/" + name); }

  Folder folder_;
};

TEST_F(Packs, CarryARunToAnEmptyFolder) {
  run("a");
  run("b", {"--with", "hybrid"});
  const ConfigNode compared =
      parse_config_text(ok({"compare", "a/result.json", "b/result.json", "--json"}).out, "files");
  const std::string printed = ok({"pack", "a", "-o", "a.heddle"}).out;
  EXPECT_THAT(printed, HasSubstr("a.heddle: the run of a, "));
  ok({"pack", "b/result.json", "-o", "b.heddle", "--quiet"});
  ok({"pack", "a", "-o", "again.heddle"});
  EXPECT_EQ(folder_.read("a.heddle"), folder_.read("again.heddle")) << "equal results give equal packs";
  for (const char* gone : {"mine", "a", "b"}) remove(gone);
  fs::create_directories(folder_.path() + "/empty");
  EXPECT_EQ(ok({"rerun", "../a.heddle"}, "empty").out, "equal: all counters of 1 launch\n");
  EXPECT_EQ(ok({"rerun", "../b.heddle"}, "empty").out, "equal: all counters of 1 launch\n");
  const ConfigNode packed =
      parse_config_text(ok({"compare", "../a.heddle", "../b.heddle", "--json"}, "empty").out, "packs");
  for (const char* part : {"remarks", "parameters", "metrics", "energy", "sign_depends_on"})
    EXPECT_EQ(to_json(*packed.find(part)), to_json(*compared.find(part))) << part;
  EXPECT_EQ(packed.find("variants")->items[0].find("file")->text, "../a.heddle");
  EXPECT_EQ(packed.find("variants")->items[0].find("launch")->text, "../a.heddle/inputs/l/launch.json");
  ok({"compare", "../a.heddle", "../b.heddle", "--report"}, "empty");
  EXPECT_TRUE(folder_.has("empty/comparison/report.html"));
}

TEST_F(Packs, AreUnpackedIntoAFolderThatRunsAgain) {
  run("a");
  ok({"pack", "a", "-o", "a.heddle"});
  EXPECT_THAT(ok({"unpack", "a.heddle", "--out", "u", "--json"}).out,
              HasSubstr("\"result\": \"u/run/result.json\""));
  for (const char* file : {"run/result.json", "run/profile.csv", "inputs/code/k.ptx", "inputs/data.bin",
                           "inputs/l/launch.json", "configs/technology/joint-40nm.json"})
    EXPECT_TRUE(folder_.has(std::string("u/") + file)) << file;
  EXPECT_EQ(folder_.read("u/inputs/l/launch.json"), folder_.read("mine/l/launch.json")) << "packed as it is";
  remove("mine");
  ok({"rerun", "u/run/result.json", "--out", "second"});
  ok({"rerun", "a.heddle", "--made", "second/result.json"});
  const ProgramResult again = run_program({"unpack", "a.heddle", "--out", "u"}, folder_.path());
  EXPECT_THAT(again.err, HasSubstr("u: this folder is not empty (allowed: a new folder, or an empty one)"));
}

TEST_F(Packs, RewriteAbsolutePaths) {
  folder_.write("mine/l/launch.json",
                launch_of(folder_.path() + "/mine/code/k.ptx",
                          R"({"type": "u32", "file": ")" + folder_.path() + R"(/mine/data.bin"})"));
  run("a");
  ok({"pack", "a", "-o", "a.heddle"});
  remove("mine");
  EXPECT_EQ(ok({"rerun", "a.heddle"}).out, "equal: all counters of 1 launch\n");
}

// The run's technology table extends a table of Heddle, and refers to the table of Heddle by name. The pack
// must contain both tables. In the unpacked run, the name must refer to the packed table.
TEST_F(Packs, HoldTheTablesThatOwnTablesExtend) {
  folder_.write("mine/own.json", R"({"name": "own", "description": "mine", "extends": "joint-40nm"})");
  run("a", {"--technology", "mine/own.json"});
  ok({"pack", "a", "-o", "a.heddle"});
  ok({"unpack", "a.heddle", "--out", "u"});
  EXPECT_EQ(folder_.read("u/inputs/own.json"), folder_.read("mine/own.json"));
  remove("mine");
  EXPECT_EQ(ok({"rerun", "a.heddle"}).out, "equal: all counters of 1 launch\n");
  EXPECT_EQ(ok({"rerun", "u/run/result.json"}).out, "equal: all counters of 1 launch\n");
  EXPECT_THAT(run_program({"price", "a.heddle"}, folder_.path()).err,
              HasSubstr("a.heddle: this is a pack (allowed: heddle unpack"));
}

// All launches of a captured program share one file of memory pages. The pack of one launch must keep only
// the few pages that this launch uses.
TEST_F(Packs, HoldThePagesThatALaunchUses) {
  const std::string used(launch::kPageBytes, '\2'), other(launch::kPageBytes, '\3');
  folder_.write("mine/pages", other + used + other + other);
  launch::PagesHash hash;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(used.data());
  hash.add(launch::key_of({bytes, used.size()}));
  std::string text =
      launch_of("../code/k.ptx",
                R"({"type": "u32", "count": 1024, "pages": [[1, 1]], "hash": ")" + hash.text() + R"("})");
  text.insert(1, R"("pages": "../pages", )");
  folder_.write("mine/l/launch.json", text);
  run("a");
  ok({"pack", "a", "-o", "a.heddle"});
  ok({"unpack", "a.heddle", "--out", "u"});
  EXPECT_EQ(folder_.read("u/inputs/pages"), std::string(launch::kPageBytes, '\0') + used);
  remove("mine");
  EXPECT_EQ(ok({"rerun", "a.heddle"}).out, "equal: all counters of 1 launch\n");
}

TEST_F(Packs, NameWhatTheyLack) {
  run("a");
  folder_.write("mine/data.bin", std::string(512, '\2'));
  remove("mine/code");
  const ProgramResult packed = ok({"pack", "a", "-o", "a.heddle"});
  EXPECT_THAT(packed.err, HasSubstr("warning: a.heddle lacks " + folder_.path() +
                                    "/mine/code/k.ptx (there is no such file)"));
  EXPECT_THAT(packed.err, HasSubstr("data.bin (it has changed since the run)"));
  const ProgramResult again = run_program({"rerun", "a.heddle"}, folder_.path());
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, HasSubstr("a.heddle: the pack does not hold "));
  EXPECT_THAT(again.err, HasSubstr("(there is no such file)"));
  EXPECT_THAT(ok({"compare", "a.heddle", "a.heddle"}).out, HasSubstr("speed-up"));
}

TEST_F(Packs, RefuseWhatIsNoResult) {
  const auto error = [this](const std::vector<std::string>& command) {
    const ProgramResult result = run_program(command, folder_.path());
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_THAT(error({"pack", "mine", "-o", "a.heddle"}),
              HasSubstr("mine: this folder holds no result (allowed: "));
  EXPECT_THAT(error({"pack", "mine/l/launch.json", "-o", "a.heddle"}), HasSubstr("this is no result"));
  run("a");
  EXPECT_THAT(error({"pack", "a", "-o", "a.zip"}), HasSubstr("a name that ends in .heddle"));
  ok({"pack", "a", "-o", "a.heddle"});
  EXPECT_THAT(error({"pack", "a.heddle", "-o", "b.heddle"}), HasSubstr("a.heddle: this is a pack already"));
  EXPECT_THAT(error({"rerun", "a.heddle", "--out", "b"}), HasSubstr("heddle unpack a.heddle --out FOLDER"));
  EXPECT_THAT(error({"compare", "a.heddle+hybrid"}), HasSubstr("a.heddle+hybrid"));
  EXPECT_THAT(ok({"run", "--launch", "mine/l", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--against",
                  "a.heddle"})
                  .out,
              HasSubstr("a.heddle"));
}

TEST_F(Packs, HoldExperiments) {
  folder_.write(
      "x.json",
      R"({"name": "x", "description": "An experiment.", "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
    "sizes": {"quick": {"kernels": ["saxpy"], "launch": "small.json"}},
    "variants": [{"name": "plain", "description": "plain"}],
    "figures": [{"id": "c", "title": "Cycles", "kind": "bars", "metric": "cycles"}]})");
  ok({"experiment", "x.json", "--out", "x", "--quiet", "--jobs", "1"});
  EXPECT_THAT(ok({"pack", "x", "-o", "x.heddle"}).err,
              HasSubstr("x.heddle lacks the raw counters of each run"));
  EXPECT_THAT(ok({"pack", "x", "-o", "c.heddle", "--counters"}).err, Not(HasSubstr("raw counters")));
  const std::string table = folder_.read("x/results.csv");
  remove("x");
  ok({"unpack", "c.heddle", "--out", "u"});
  EXPECT_EQ(folder_.read("u/experiment/results.csv"), table);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() + "/u/experiment/points"), {}), 1);
  ok({"report", "x.heddle", "-o", "x.md"});
  EXPECT_THAT(folder_.read("x.md"), HasSubstr("Cycles"));
  EXPECT_THAT(run_program({"rerun", "x.heddle"}, folder_.path()).err,
              HasSubstr("x.heddle: this is the pack of an experiment (allowed: the pack of a run)"));
}

}  // namespace
}  // namespace heddle::test
