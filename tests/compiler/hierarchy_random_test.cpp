// Random kernels compute the same whatever the levels of the register hierarchy hold: the annotated program
// is expanded into one with a register for every entry, poison included, and run by the reference.

#include <gtest/gtest.h>

#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/compiler_random_program.h"
#include "tests/compiler/hierarchy_options.h"
#include "tests/compiler/level_expansion.h"

namespace heddle::compiler {
namespace {

class HierarchyRandom : public testing::TestWithParam<int> {};

TEST_P(HierarchyRandom, LevelsComputeTheSame) {
  for (int n = 0; n < 3; ++n) {
    const std::uint64_t seed =
        77000 + static_cast<std::uint64_t>(GetParam()) * 100 + static_cast<std::uint64_t>(n);
    const test::RandomShape shape{6 + n * 4, 2 + n, 4 + n, 20 + 10 * n};
    const isa::Program parsed = test::kernel(test::random_body(seed, shape));
    const test::Outcome expected = test::execute(parsed);
    for (const auto& [name, passes, entries] : test::hierarchy_pipelines()) {
      SCOPED_TRACE(name + " " + std::to_string(seed));
      const isa::Program annotated =
          compile(parsed, test::with_pass_texts(passes, n % 2 == 0, n == 1 ? 20 : 63));
      const isa::Program expanded = test::expand_levels(annotated);
      const auto out = test::execute(expanded).out;
      for (std::size_t w = 0; w < out.size(); ++w)
        if (out[w] != expected.out[w]) {
          ADD_FAILURE() << w << " " << std::hex << out[w] << " not " << expected.out[w] << "\n"
                        << test::text_of(annotated) << "EXP\n"
                        << test::text_of(expanded);
          break;
        }
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, HierarchyRandom, testing::Range(0, 24));

}  // namespace
}  // namespace heddle::compiler
