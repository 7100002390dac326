#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

class Price : public ::testing::Test {
 protected:
  void run(const std::string& kernel, const std::string& out, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "--launch", kernel, "--gpu", "fermi-gtx480", "--set", "gpu.sms=1",
                               "--set", "output.npy=false", "--out", out, "--quiet"});
    const ProgramResult result = run_program(more, folder.path());
    ASSERT_EQ(result.status, 0) << result.err;
  }
  // Computes the energies of run "a" with `technologies`. All files must equal those of run "b", which was
  // simulated with these technologies.
  void expect_same(const std::vector<std::string>& technologies) {
    std::filesystem::rename(folder.path() + "/b", folder.path() + "/run");
    std::vector<std::string> words = {"price", "a/result.json", "--out", "b"};
    for (const std::string& name : technologies) words.insert(words.end(), {"--technology", name});
    const ProgramResult priced = run_program(words, folder.path());
    ASSERT_EQ(priced.status, 0) << priced.err;
    for (const char* file : {"/result.json", "/energy.csv", "/stats.csv"})
      EXPECT_EQ(folder.read("b" + std::string(file)), folder.read("run" + std::string(file))) << file;
  }
  Folder folder;
};

TEST_F(Price, OtherTechnologiesAreThoseOfARunWithThem) {
  run("hotspot/small", "a", {"--with", "hybrid"});
  run("hotspot/small", "b", {"--with", "hybrid", "--set", "power.technologies=[\"gtx480-45nm\"]"});
  expect_same({"gtx480-45nm"});
}

TEST_F(Price, EveryLaunchIsPricedByItself) {
  run("bfs/small", "a", {"--set", "power.technologies=[]"});
  run("bfs/small", "b", {"--set", "power.technologies=[\"gtx480-45nm\", \"gebhart-hierarchy\"]"});
  expect_same({"gtx480-45nm", "gebhart-hierarchy"});
}

TEST_F(Price, BadInputIsOneLine) {
  run("bfs/small", "a", {});
  const auto fails = [&](const std::vector<std::string>& words, const std::string& why) {
    const ProgramResult result = run_program(words, folder.path());
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  };
  fails({"price", "a/result.json", "--technology", "kitten"}, "kitten");
  folder.write("a/stats.csv", "owner,name\n");
  fails({"price", "a/result.json", "--technology", "gtx480-45nm"}, "stats.csv");
  folder.write("x.json", "{\"format\": 2}");
  fails({"price", "x.json"}, "configuration");
}

}  // namespace
}  // namespace heddle::test
