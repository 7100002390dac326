// Files state the version of their format. A file with an unknown version must be refused by an error that
// names the version.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "models/core/config_node.h"
#include "program.h"

namespace heddle::test {
namespace {

class Formats : public ::testing::Test {
 protected:
  void write(const std::string& from, const std::string& to, int format) {
    ConfigNode tree = parse_config_file(source(from));
    tree.members.emplace_back("format", ConfigNode::make_integer(format));
    folder.write(to, to_json(tree));
  }
  ProgramResult run(const std::vector<std::string>& arguments) {
    return run_program(arguments, folder.path());
  }
  Folder folder;
};

TEST_F(Formats, OfFilesThatUsersWriteAreChecked) {
  std::filesystem::copy(source("testbench/kernels/saxpy/kernel.ptx"), folder.path() + "/kernel.ptx");
  struct Case {
    const char *from, *what;
    std::vector<std::string> option;
  };
  const std::vector<Case> cases = {
      {"testbench/kernels/saxpy/small.json", "a launch file", {"--launch", "x.json"}},
      {"configs/gpu/fermi-gtx480.json", "a GPU preset", {"--gpu", "./x.json"}},
      {"configs/techniques/gates.json", "a technique", {"--with", "./x.json"}},
      {"configs/technology/gtx480-45nm.json",
       "a technology",
       {"--set", "power.technologies=[\"./x.json\"]"}}};
  for (const Case& one : cases) {
    std::vector<std::string> arguments = {"run",          "--launch", "saxpy/small", "--gpu",
                                          "fermi-gtx480", "--set",    "gpu.sms=1"};
    if (one.option[0] == "--launch" || one.option[0] == "--gpu")
      *(std::find(arguments.begin(), arguments.end(), one.option[0]) + 1) = one.option[1];
    else
      arguments.insert(arguments.end(), one.option.begin(), one.option.end());
    write(one.from, "x.json", 1);
    EXPECT_EQ(run(arguments).status, 0) << one.from << run(arguments).err;
    for (const int format : {2, 0}) {
      write(one.from, "x.json", format);
      const ProgramResult result = run(arguments);
      EXPECT_EQ(result.status, 1) << one.from;
      const std::string why = format == 2 ? "format 2 of " + std::string(one.what) + " is of a newer version"
                                          : "not the version of a format";
      EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    }
  }
}

TEST_F(Formats, OfAScenario) {
  for (const int format : {1, 7}) {
    folder.write("s.json", R"({"gpu": {"preset": "fermi-gtx480", "sms": 1}, "format": )" +
                               std::to_string(format) + "}");
    const ProgramResult result = run({"run", "s.json", "--launch", "saxpy/small"});
    EXPECT_EQ(result.status, format == 1 ? 0 : 1) << result.err;
    if (format == 7) {
      EXPECT_NE(result.err.find(
                    "s.json:1: format: format 7 of a scenario is of a newer version of Heddle (allowed: 1)"),
                std::string::npos)
          << result.err;
    }
  }
}

TEST_F(Formats, OfAResult) {
  ASSERT_EQ(
      run({"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--out", "out"})
          .status,
      0);
  ConfigNode result = parse_config_file(folder.path() + "/out/result.json");
  const auto rerun = [&] {
    folder.write("out/other.json", to_json(result));
    return run({"rerun", "out/other.json"});
  };
  EXPECT_EQ(result.find("format")->integer, 2);
  result.find("format")->integer = 1;
  EXPECT_EQ(rerun().status, 0) << "the format before is read";
  *result.find("format") = ConfigNode::make_integer(3);
  EXPECT_NE(rerun().err.find("format 3 of a result.json of heddle run is of a newer version"),
            std::string::npos);
  std::erase_if(result.members, [](const auto& member) { return member.first == "format"; });
  EXPECT_NE(rerun().err.find("it has no \"format\""), std::string::npos);
}

}  // namespace
}  // namespace heddle::test
