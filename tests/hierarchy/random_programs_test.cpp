// Random programs on random machines give the same bits through random stacks of register-file stages as on
// the untimed reference, which knows of no stage.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/hierarchy/random_stack.h"

namespace heddle::hierarchy {
namespace {

constexpr std::uint64_t kPrograms = 510, kShares = 4;

class RandomStacks : public testing::TestWithParam<std::uint64_t> {};

// HEDDLE_PROGRAMS runs any number of them.
TEST_P(RandomStacks, RandomProgramsComputeTheSame) {
  const char* asked = std::getenv("HEDDLE_PROGRAMS");
  const std::uint64_t programs = asked ? std::strtoull(asked, nullptr, 10) : kPrograms;
  for (std::uint64_t seed = 1 + GetParam(); seed <= programs; seed += kShares) {
    const fuzz::FuzzCase fuzz = make_case(seed);
    fuzz::Coverage coverage;
    const std::string failure = fuzz::run_case(fuzz, coverage);
    if (failure.empty()) continue;
    const std::string folder =
        (std::filesystem::path(testing::TempDir()) / "heddle-stacks" / std::to_string(seed)).string();
    fuzz::keep_case(fuzz, folder);
    ADD_FAILURE() << "seed " << seed << ": " << failure << "\n  heddle run " << folder << "/scenario.json";
  }
}

INSTANTIATE_TEST_SUITE_P(, RandomStacks, testing::Range(std::uint64_t{0}, kShares));

}  // namespace
}  // namespace heddle::hierarchy
