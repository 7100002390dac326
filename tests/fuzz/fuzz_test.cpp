// Random PTX programs compute the same on random machines as on the untimed reference, counters conserve at
// every interval, and together the programs cover the instruction set and its control flow.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/fuzz/fuzz_run.h"

namespace heddle::fuzz {
namespace {

constexpr std::uint64_t kFirst = 1, kPrograms = 520;

TEST(Fuzz, RandomProgramsComputeTheSame) {
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  const std::uint64_t programs = full ? 10 * kPrograms : kPrograms;
  Coverage coverage;
  for (std::uint64_t seed = kFirst; seed < kFirst + programs; ++seed) {
    const FuzzCase fuzz = make_case(seed);
    const std::string failure = run_case(fuzz, coverage);
    if (failure.empty()) continue;
    const std::string folder =
        (std::filesystem::path(testing::TempDir()) / "heddle-fuzz" / std::to_string(seed)).string();
    keep_case(fuzz, folder);
    ADD_FAILURE() << "seed " << seed << ": " << failure << "\n  heddle run " << folder << "/scenario.json";
  }
  std::fputs(coverage.report().c_str(), stdout);
  EXPECT_GE(coverage.programs(), programs);
  EXPECT_GE(coverage.opcode_share(), 0.95);
  EXPECT_EQ(coverage.missing(), "");
}

}  // namespace
}  // namespace heddle::fuzz
