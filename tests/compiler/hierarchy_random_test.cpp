// Random kernels must compute the same results with and without register-hierarchy annotations. To test
// annotations, the reference executes a program in which every entry of an upper level is a register
// (level_expansion.h). An entry without a value holds poison.

#include <gtest/gtest.h>

#include <random>

#include "models/compiler/check_levels.h"
#include "models/compiler/listing.h"
#include "models/compiler/predict_accesses.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/compiler_random_program.h"
#include "tests/compiler/hierarchy_options.h"
#include "tests/compiler/level_expansion.h"
#include "tests/compiler/level_proofs.h"

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

// Changes annotations at random. If check_levels accepts the changed program, the program must still compute
// the right results.
TEST_P(HierarchyRandom, WhatTheCheckerAcceptsIsRight) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  std::mt19937 dice(static_cast<std::uint32_t>(5000 + seed));
  const auto below = [&](std::uint32_t n) { return dice() % n; };
  const isa::Program parsed = test::kernel(test::random_body(88000 + seed, {8, 3, 5, 30}));
  const auto expected = test::execute(parsed).out;
  const auto pipelines = test::hierarchy_pipelines();
  const auto& pipeline = pipelines[seed % pipelines.size()];
  SCOPED_TRACE(pipeline.name);
  const isa::Program annotated = compile(parsed, test::with_pass_texts(pipeline.passes));
  const ControlFlow flow(annotated);
  const Divergence divergence(annotated, flow);
  std::vector<std::size_t> above;
  for (std::size_t n = 0; n < annotated.code.size(); ++n)
    if (predict_accesses(annotated, [&](std::size_t at) { return std::uint64_t{at == n}; }) !=
        predict_flat_accesses(annotated, [&](std::size_t at) { return std::uint64_t{at == n}; }))
      above.push_back(n);
  int accepted = 0, rejected = 0;
  for (int n = 0; n < 60 && !above.empty(); ++n) {
    isa::Program changed = annotated;
    isa::Instruction& i = changed.code[above[below(static_cast<std::uint32_t>(above.size()))]];
    const std::uint32_t which = below(static_cast<std::uint32_t>(i.num_dst + i.num_src));
    const bool result = which < i.num_dst;
    isa::Operand& o = result ? i.dst[which] : i.src[which - i.num_dst];
    if (!o.is_reg()) continue;
    switch (below(3)) {
      case 0:
        o.annotation.entry = static_cast<std::uint8_t>(below(6));
        break;
      case 1:
        o.annotation.write_levels = static_cast<std::uint8_t>(below(4));
        break;
      default:
        (result ? o.annotation.slot : o.annotation.read_level) = static_cast<std::uint8_t>(below(3));
    }
    if (find_level_fault(changed, flow, divergence)) {
      ++rejected;
      continue;
    }
    ++accepted;
    EXPECT_TRUE(test::execute(test::expand_levels(changed)).out == expected)
        << to_string(i) << " " << level_text(i);
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(rejected, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, HierarchyRandom, testing::Range(0, 16));

}  // namespace
}  // namespace heddle::compiler
