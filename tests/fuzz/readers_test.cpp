// Readers must accept the valid files, and accept or refuse random changes of these files. The test runs a
// fixed sequence that takes some seconds. `scripts/fuzz` continues for any time.

#include <gtest/gtest.h>

#include "tests/fuzz/reader_targets.h"

namespace heddle::fuzz {
namespace {

class Readers : public ::testing::TestWithParam<ReaderTarget> {};

TEST_P(Readers, TakeTheirCorpus) {
  for (const std::string& path : GetParam().corpus) EXPECT_TRUE(GetParam().read(read_corpus(path))) << path;
}

TEST_P(Readers, RefuseOrTakeMutations) {
  Dice dice(20240611);
  int refused = 0;
  constexpr int kMutations = 300;
  for (int n = 0; n < kMutations; ++n) {
    const auto& corpus = GetParam().corpus;
    refused +=
        !GetParam().read(mutate(read_corpus(dice.choose(corpus)), read_corpus(dice.choose(corpus)), dice));
  }
  EXPECT_GT(refused, kMutations / 10) << "mutations that change nothing prove nothing";
}

INSTANTIATE_TEST_SUITE_P(, Readers, ::testing::ValuesIn(reader_targets()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace heddle::fuzz
