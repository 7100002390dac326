// The error for an unknown name suggests the most similar known name, or none if no name is clearly the most
// similar.

#include <gtest/gtest.h>

#include "program.h"

namespace heddle::test {
namespace {

struct Miss {
  const char* name;
  std::vector<std::string> arguments;
  const char* meant;
};

const std::vector<Miss>& misses() {
  const auto run = [](std::vector<std::string> more) {
    std::vector<std::string> all = {"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx480"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  static const std::vector<Miss> rows = {
      {"command", {"rum"}, "unknown command \"rum\", did you mean \"run\"?"},
      {"command_with_letters_swapped", {"rnu"}, "unknown command \"rnu\", did you mean \"run\"?"},
      {"option", run({"--schedular", "gto"}),
       "unknown option \"--schedular\", did you mean \"--scheduler\"?"},
      {"option_with_value", run({"--shedular=gto"}), "did you mean \"--scheduler\"?"},
      {"kernel",
       {"run", "--launch", "bitonic_srt"},
       "unknown launch file \"bitonic_srt\", did you mean \"bitonic_sort\"?"},
      {"listing",
       {"compile", "bitonic_srt"},
       "unknown kernel \"bitonic_srt\", did you mean \"bitonic_sort\"?"},
      {"ptx_kernel",
       {"compile", "saxpy", "--kernel", "saxpi"},
       "no kernel \"saxpi\", did you mean \"saxpy\"?"},
      {"family",
       {"list", "schedulers"},
       "unknown family \"schedulers\", did you mean \"warp scheduler policy\"?"},
      {"scenario", {"run", "quikstart"}, "unknown scenario \"quikstart\", did you mean \"quickstart\"?"},
      {"preset",
       {"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx48"},
       "did you mean \"fermi-gtx480\"?"},
      {"technique", run({"--with", "hybird"}), "unknown technique \"hybird\", did you mean \"hybrid\"?"},
      {"scheduler", run({"--scheduler", "two-levl"}),
       "unknown warp scheduler policy \"two-levl\", did you mean \"two-level\"?"},
      {"parameter", run({"--set", "gpu.sm.max_wraps=8"}),
       "unknown key \"max_wraps\", did you mean \"max_warps\"?"},
      {"value", run({"--check", "outo"}), "unknown value \"outo\", did you mean \"auto\"?"},
      {"counter",
       run({"--out", "out", "--interval", "100", "--set",
            "output.interval_counters=[\"sm.partition.bank.reads\"]"}),
       "did you mean \"sm.partition.banks.reads\"?"},
      {"experiment", {"experiment", "fig8-9"}, "unknown experiment \"fig8-9\""},
      {"format", {"schema", "scenaro"}, "unknown format \"scenaro\", did you mean \"scenario\"?"},
  };
  return rows;
}

class NearMisses : public ::testing::TestWithParam<std::size_t> {};

TEST_P(NearMisses, NameTheNearest) {
  const Miss& miss = misses()[GetParam()];
  const Folder folder;
  const ProgramResult result = run_program(miss.arguments, folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find(miss.meant), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
}

INSTANTIATE_TEST_SUITE_P(Cli, NearMisses, ::testing::Range<std::size_t>(0, misses().size()),
                         [](const auto& instance) { return std::string(misses()[instance.param].name); });

TEST(NearMisses, NothingNearIsSaidOfAForeignName) {
  const Folder folder;
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"assemble"}, {"compile", "nix"}}) {
    const ProgramResult result = run_program(arguments, folder.path());
    EXPECT_EQ(result.err.find("did you mean"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace heddle::test
