// Tests the option --check: names of checks, summary, limit on printed findings, exit status.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace heddle::test::checks_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A kernel with two faults: two warps write the same word without a barrier, and read a register that was
// never written.
class Checks : public ::testing::Test {
 protected:
  Checks() {
    folder_.write("k.ptx", R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry k(.param .u64 o) {
.reg .b32 %t, %u; .reg .b64 %o;
ld.param.u64 %o, [o]; mov.u32 %t, %tid.x; shr.u32 %t, %t, 6; st.global.u32 [%o], %t; st.global.u32 [%o+4], %t;
add.u32 %t, %t, %u; ret; })");
    folder_.write("k.json", R"({"ptx": "k.ptx", "buffers": {"o": {"type": "u32", "count": 4}},
      "steps": [{"kernel": "k", "grid": 1, "block": 64, "args": [{"buffer": "o"}]}], "outputs": [{"buffer": "o"}]})");
  }
  ProgramResult reference(std::vector<std::string> options) const {
    options.insert(options.begin(), {"reference", "k.json"});
    return run_program(options, folder_.path());
  }
  ProgramResult run(std::vector<std::string> options) const {
    options.insert(options.begin(),
                   {"run", "--launch", "k.json", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1"});
    return run_program(options, folder_.path());
  }
  Folder folder_;
};

TEST_F(Checks, FindingsGiveASummaryAndStatus3) {
  for (const ProgramResult& result : {reference({"--check", "races,init"}), reference({"--check", "strict"}),
                                      run({"--check", "races,init"})}) {
    EXPECT_EQ(result.status, 3) << result.out << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("races: kernel k: line 6"), HasSubstr("init: kernel k: line 7"),
                                  HasSubstr("checks: 3 findings: 1 init, 2 races")));
  }
  const ProgramResult clean = reference({"--check", "memory,sync,atomics,warps"});
  EXPECT_EQ(clean.status, 0) << clean.out;
  EXPECT_THAT(clean.out, HasSubstr("checks: no findings"));
  EXPECT_EQ(run({"--check", "on"}).status, 0);
  EXPECT_THAT(reference({"--check", "off"}).out, Not(HasSubstr("checks:")));
}

TEST_F(Checks, TheLimitBoundsLinesAndNotTheirNumber) {
  for (const ProgramResult& result : {reference({"--check", "races", "--check-limit", "1"}),
                                      run({"--check", "races", "--check-limit", "1"})}) {
    EXPECT_EQ(result.status, 3);
    EXPECT_THAT(result.out, AllOf(HasSubstr("and 1 more"), HasSubstr("checks: 2 findings: 2 races")));
  }
}

TEST_F(Checks, OtherWordsAreErrors) {
  EXPECT_THAT(reference({"--check", "race"}).err,
              HasSubstr("--check: unknown value \"race\", did you mean \"races\"?"));
  EXPECT_THAT(reference({"--check", "on"}).err,
              HasSubstr("allowed: off, memory, init, races, sync, atomics, warps"));
  EXPECT_THAT(run({"--check", "on,races"}).err, HasSubstr("\"on\" together with others"));
  EXPECT_THAT(run({"--set", "watch.checks=[\"race\"]"}).err,
              HasSubstr("watch.checks: unknown value \"race\""));
}

TEST_F(Checks, ComparisonsShowThem) {
  const ProgramResult result = run_program({"compare", "fermi-gtx480", "fermi-gtx480+hybrid", "--launch",
                                            "k.json", "--set", "gpu.sms=1", "--check", "races"},
                                           folder_.path());
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.out, HasSubstr("FINDINGS"));
}

}  // namespace
}  // namespace heddle::test::checks_test
