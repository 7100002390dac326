// Compiled random kernels compute the same results as the parsed PTX, with many registers and with too few.

#include <gtest/gtest.h>

#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/compiler_random_program.h"

namespace heddle::compiler {
namespace {

class RandomKernels : public testing::TestWithParam<int> {};

TEST_P(RandomKernels, ComputeTheSame) {
  int spilled = 0;
  for (int n = 0; n < 16; ++n) {
    const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * 1000 + static_cast<std::uint64_t>(n);
    SCOPED_TRACE(seed);
    const test::RandomShape shape{6 + n * 2, 2 + n / 2, 3 + n, 20 + 3 * n};
    const isa::Program parsed = test::kernel(test::random_body(seed, shape));
    test::expect_same(parsed, test::limits(63));
    spilled += test::expect_same(parsed, test::limits(16, 4)).local_bytes != 0;
    test::expect_same(parsed, test::limits(11, 7));
    test::expect_same(parsed, test::with_passes({}, 24));
    if (HasFailure()) return;
  }
  EXPECT_GT(spilled, 8);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Range(0, 12));

}  // namespace
}  // namespace heddle::compiler
