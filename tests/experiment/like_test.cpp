// Tests the key "like" of an experiment file, which names another experiment that the file extends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Like : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder.path() + "/base");
    folder.write("base/tiny.json", read_file(source("tests/experiment/tiny.json")));
  }
  ProgramResult list(const std::string& text, std::vector<std::string> more = {"--list"}) const {
    folder.write("mine.json", text);
    more.insert(more.begin(), {"experiment", "mine.json"});
    return run_program(more, folder.path());
  }
  Folder folder;
};

TEST_F(Like, MergesObjectsByKeyAndListsByName) {
  const ProgramResult result = list(R"({"name": "mine", "like": "./base/tiny.json",
    "base": {"gpu": {"sms": 2}},
    "variants": [{"name": "gto", "description": "greedy"}, {"name": "two", "set": {"gpu.sm.scheduler": "two-level"}}],
    "sweeps": [{"name": "warps", "values": [16]}],
    "figures": [{"id": "warps", "order": null}]})");
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* run : {"saxpy, lrr\n", "saxpy, gto\n", "vector_add, two\n", "saxpy, gto, warps 16\n"})
    EXPECT_THAT(result.out, HasSubstr(run));
  EXPECT_THAT(result.out, Not(HasSubstr("warps 8\n"))) << "a list of plain values is replaced";
  const ProgramResult run = list(folder.read("mine.json"), {"--out", "out", "--quiet"});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, HasSubstr("# mine\n"));
  EXPECT_THAT(report, HasSubstr("\"sms\": 2"));
  EXPECT_THAT(report, HasSubstr("\"preset\": \"fermi-gtx480\""));
  EXPECT_THAT(report, HasSubstr("| gto | greedy | "));
  EXPECT_THAT(report, Not(HasSubstr("In short"))) << "conclusions are not inherited";
}

TEST_F(Like, NullRemovesKeysAndItems) {
  const ProgramResult result = list(R"({"name": "mine", "like": "base/tiny.json", "sweeps": null,
    "figures": {"warps": null, "loads": {"published": null, "unit": "percent"}}})",
                                    {"--out", "out", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_FALSE(folder.has("out/figures/warps.csv"));
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, HasSubstr("Values in percent."));
  EXPECT_THAT(report, Not(HasSubstr("## Measured and published figures")));
}

TEST_F(Like, PathsAreRelativeToTheFileThatHoldsThem) {
  folder.write("base/tiny.json", R"({"name": "tiny", "base": {"gpu": {"preset": "./mine-gpu.json"}},
    "sizes": {"quick": {"kernels": ["./launch.json"]}}, "variants": [{"name": "v"}],
    "figures": [{"id": "f", "title": "f", "kind": "table", "metric": "cycles"}]})");
  const std::string mine = R"({"name": "mine", "like": "base/tiny.json"})";
  EXPECT_THAT(list(mine).err, HasSubstr("base/mine-gpu.json: cannot read this file"));
  folder.write("base/mine-gpu.json", R"({"like": "fermi-gtx480", "sms": 1})");
  EXPECT_THAT(list(mine).err, HasSubstr("base/launch.json"));
  folder.write("launch.json", "{}");
  EXPECT_THAT(list(R"({"name": "mine", "like": "base/tiny.json",
    "sizes": {"quick": {"kernels": ["./launch.json"]}}})")
                  .err,
              HasSubstr("launch.json:1"));
}

TEST_F(Like, ErrorsNameTheFile) {
  folder.write("other.json", R"({"name": "other", "like": "./mine.json"})");
  const std::pair<const char*, const char*> cases[] = {
      {R"({"name": "mine", "like": "./other.json"})",
       "other.json:1: like: experiments are like each other in a circle"},
      {R"({"name": "mine", "like": "./mine.json"})",
       "mine.json:1: like: experiments are like each other in a circle"},
      {R"({"name": "mine", "like": "hybird"})",
       "mine.json:1: like: unknown experiment \"hybird\", did you mean"},
      {R"({"name": "mine", "like": 3})", "mine.json:1: like: "},
      {R"({"name": "mine", "like": "base/tiny.json", "variants": {"gtx": null}})",
       "mine.json:1: variants.gtx: no item \"gtx\" in the list that this file inherits (allowed: lrr, gto)"},
      {R"({"like": "base/tiny.json"})", "mine.json:1: an experiment has no \"name\""},
      {R"({"name": "mine"})", "mine.json:1: an experiment has no \""},
  };
  for (const auto& [text, error] : cases) {
    const ProgramResult result = list(text);
    EXPECT_EQ(result.status, 1) << text;
    EXPECT_THAT(result.err, HasSubstr(error)) << text;
  }
}

}  // namespace
}  // namespace heddle::test
