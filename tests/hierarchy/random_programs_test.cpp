// Random programs on random machines give the same bits through random stacks of register-file stages as on
// the untimed reference, which knows of no stage.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/hierarchy/random_stack.h"

namespace heddle::hierarchy {
namespace {

constexpr std::uint64_t kPrograms = 510;

// HEDDLE_PROGRAMS runs any number of them.
TEST(RandomStacks, RandomProgramsComputeTheSame) {
  const char* asked = std::getenv("HEDDLE_PROGRAMS");
  const std::uint64_t programs = asked ? std::strtoull(asked, nullptr, 10) : kPrograms;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
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

}  // namespace
}  // namespace heddle::hierarchy
