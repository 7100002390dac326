// Readers must accept valid files, and must accept or refuse randomly changed files without a fault. The
// changes are a fixed sequence, which takes some seconds. `scripts/fuzz` continues for any time;
// HEDDLE_FULL=1 tries twenty times as many changes.

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/fuzz/reader_targets.h"

namespace heddle::fuzz {
namespace {

class Readers : public ::testing::TestWithParam<ReaderTarget> {};

TEST_P(Readers, TakeTheirCorpus) {
  const std::vector<std::string> seeds = seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  for (std::size_t i = 0; i < seeds.size(); ++i) EXPECT_TRUE(GetParam().read(seeds[i])) << "seed " << i;
}

TEST_P(Readers, RefuseOrTakeKeptInputs) {
  for (const std::string& input : kept_inputs_of(GetParam())) GetParam().read(input);
}

TEST_P(Readers, RefuseOrTakeMutations) {
  Dice dice(20240611);
  const std::vector<std::string> seeds = seeds_of(GetParam());
  int refused = 0;
  const int mutations = std::getenv("HEDDLE_FULL") ? 6000 : 300;
  for (int n = 0; n < mutations; ++n)
    refused += !GetParam().read(mutate(dice.choose(seeds), dice.choose(seeds), dice));
  EXPECT_GT(refused, mutations / 10) << "mutations that change nothing prove nothing";
}

INSTANTIATE_TEST_SUITE_P(, Readers, ::testing::ValuesIn(reader_targets()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace heddle::fuzz
