// Random programs with release flags, on random machines with random stacks of register-file stages and a
// cache of flags in the front end: the verifier finds no release too early, and the bits are those of the
// untimed reference.

#include <gtest/gtest.h>

#include "models/compiler/check_releases.h"
#include "tests/hierarchy/random_stack.h"

namespace heddle::hierarchy {
namespace {

constexpr std::uint64_t kPrograms = 200, kShares = 4;

// The last setting of `key` with one more element in its list; `otherwise` where none sets it.
std::string appended(const std::vector<std::string>& sets, const std::string& key, const std::string& element,
                     const std::string& otherwise) {
  std::string list = key + "=" + otherwise;
  for (const std::string& set : sets)
    if (set.starts_with(key + "=")) list = set;
  const bool empty = list.ends_with("[]");
  list.pop_back();
  return list + (empty ? "" : ",") + element + "]";
}

fuzz::FuzzCase with_flags(std::uint64_t seed) {
  fuzz::FuzzCase fuzz = make_case(seed);
  std::vector<std::string>& sets = fuzz.setting.sets;
  const std::string pass = std::string(R"({"type":"release-flags","divergence":")") +
                           (seed % 2 ? "exact" : "reconvergence") + R"(","empty_pir":)" +
                           (seed % 3 ? "true}" : "false}");
  sets.push_back(appended(sets, "compiler.passes", pass, R"(["fold-parameters","remove-dead-code"])"));
  const std::uint64_t entries[] = {0, 1, 5, 10};
  sets.push_back(appended(
      sets, "gpu.sm.front_end.stages",
      R"({"type":"release-flag-cache","entries":)" + std::to_string(entries[seed % std::size(entries)]) + "}",
      "[]"));
  return fuzz;
}

class RandomReleases : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomReleases, RandomProgramsComputeTheSame) {
  std::uint64_t flagged = 0;
  for (std::uint64_t seed = 1 + GetParam(); seed <= kPrograms; seed += kShares) {
    fuzz::Coverage coverage;
    const std::string failure = fuzz::run_case(with_flags(seed), coverage, [&](isa::Program& program) {
      flagged += compiler::uses_releases(program);
    });
    EXPECT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_GT(flagged, kPrograms / kShares / 2);
}

INSTANTIATE_TEST_SUITE_P(, RandomReleases, testing::Range(std::uint64_t{0}, kShares));

}  // namespace
}  // namespace heddle::hierarchy
