// Tests the command heddle view: its output, files and errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using testing::HasSubstr;

class ViewCommand : public testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& arguments) const {
    return run_program(arguments, folder.path());
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& text) const {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_FALSE(folder.has("view.html")) << text;
  }
  Folder folder;
};

TEST_F(ViewCommand, ShowsResultsFoldersAndPacks) {
  const ProgramResult made = run({"run", "--launch", source("testbench/kernels/vector_add/small.json"),
                                  "--gpu", "fermi-gtx480", "--set", "gpu.sms=2", "--out", "out", "--quiet"});
  ASSERT_EQ(made.status, 0) << made.err;
  const ProgramResult first = run({"view", "out"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("of SM 0 with "));
  const std::string page = folder.read("view.html");
  EXPECT_THAT(page, HasSubstr("<h1>SM 0 of fermi-gtx480"));
  ASSERT_EQ(run({"view", "out/result.json", "--out", "again.html"}).status, 0);
  EXPECT_EQ(folder.read("again.html"), page);
  ASSERT_EQ(run({"pack", "out", "--out", "a.heddle"}).status, 0);
  const ProgramResult packed = run({"view", "a.heddle", "--out", "packed.html"});
  ASSERT_EQ(packed.status, 0) << packed.err;
  EXPECT_EQ(folder.read("packed.html"), page);
  const ProgramResult part =
      run({"view", "out", "--sm", "1", "--from", "40", "--to", "60", "--out", "part.html"});
  ASSERT_EQ(part.status, 0) << part.err;
  EXPECT_THAT(part.out, HasSubstr("cycles 40 to 60 of SM 1"));
}

TEST_F(ViewCommand, RefusesInOneLine) {
  ASSERT_EQ(run({"run", "--launch", source("testbench/kernels/vector_add/small.json"), "--gpu",
                 "fermi-gtx480", "--set", "gpu.sms=2", "--out", "out", "--quiet"})
                .status,
            0);
  expect_refused({"view"}, "result is required");
  for (const char* command : {"[]", "\"a\""}) {
    folder.write("p.json", std::string(R"({"configuration": {"gpu": {}}, "command": )") + command + "}");
    expect_refused({"view", "p.json"}, "p.json: no \"command\" (allowed: a program.json of heddle exec)");
  }
  folder.write("p.json", R"({"command": ["a"]})");
  expect_refused({"view", "p.json"}, "p.json: no \"configuration\"");
  expect_refused({"view", "none.json"}, "none.json");
  expect_refused({"view", "out", "--sm", "2"}, "--sm: there is no SM 2 (allowed: 0 to 1)");
  expect_refused({"view", "out", "--sm", "-1"}, "--sm");
  expect_refused({"view", "out", "--from", "9", "--to", "5"}, "--to: 5 lies before --from 9");
  expect_refused({"view", "out", "--from", "x"}, "--from");
  expect_refused({"view", "out", "--form", "3"}, "--form");
  expect_refused({"view", "out", "--out", "out/result.json"}, "out/result.json");
  expect_refused({"view", "out", "--out", "no/such/view.html"}, "no/such/view.html");
}

}  // namespace
}  // namespace heddle::test
