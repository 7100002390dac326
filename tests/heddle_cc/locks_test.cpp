// Locks in CUDA code. Each kernel must end with the right value, or the reference must prove that the kernel
// cannot end. A kernel that cannot end runs with one grid at every second level of optimisation. With
// HEDDLE_FULL, such a kernel runs with all grids at all levels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/reference/reference.h"
#include "tests/heddle_cc/device_program.h"

namespace heddle::device_test {
namespace {

using ::testing::HasSubstr;

struct Shape {
  const char* kernel;
  int adders_a_warp;  ///< number of threads in each warp that add 1
  /// true if the kernel ends even when the paths of a warp run one after another (SIMT stack)
  bool ends_on_a_stack;
};
constexpr Shape kShapes[] = {
    {"cas_in_loop", 32, true}, {"exch_in_loop", 32, true},       {"flag_in_loop", 32, true},
    {"cas_before", 32, false}, {"exch_before", 32, false},       {"turns", 32, false},
    {"one_a_warp", 1, true},   {"flag_then_barrier", 32, false},
};

std::vector<int> run(const DeviceProgram& program, const char* kernel, unsigned ctas, unsigned threads) {
  std::vector<std::uint8_t> gate = bytes_of(std::vector<int>{0}), sum = gate;
  program.run(kernel, ctas, threads, {&gate, &sum});
  return values_of<int>(sum);
}

class Locks : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!have_clang()) GTEST_SKIP() << "clang is missing";
  }
  static std::string options(const char* machine) {
    return "-O" + std::to_string(GetParam()) + " -arch=" + machine;
  }
};

constexpr struct { unsigned ctas, threads; } kGrids[] = {{1, 32}, {1, 96}, {3, 64}};

TEST_P(Locks, EndWhereThreadsMakeProgress) {
  const DeviceProgram program("locks.cu", options("sm_75"));
  for (const Shape& shape : kShapes)
    for (const auto& grid : kGrids) {
      SCOPED_TRACE(std::string(shape.kernel) + ", CTAs " + std::to_string(grid.ctas));
      const int warps = static_cast<int>(grid.ctas * grid.threads / 32);
      EXPECT_EQ(run(program, shape.kernel, grid.ctas, grid.threads)[0], warps * shape.adders_a_warp);
    }
}

TEST_P(Locks, EndOrAreNamedWherePathsRunOneAfterTheOther) {
  const DeviceProgram program("locks.cu", options("sm_61"));
  std::size_t endless = static_cast<std::size_t>(GetParam());
  for (const Shape& shape : kShapes) {
    // The proof that a kernel cannot end takes about a second, so each such kernel runs at two of the levels.
    endless += !shape.ends_on_a_stack;
    for (const auto& grid : kGrids) {
      const bool chosen = endless % 2 == 0 && &grid == &kGrids[endless / 2 % std::size(kGrids)];
      if (!shape.ends_on_a_stack && !chosen && !std::getenv("HEDDLE_FULL")) continue;
      SCOPED_TRACE(std::string(shape.kernel) + ", CTAs " + std::to_string(grid.ctas));
      const int warps = static_cast<int>(grid.ctas * grid.threads / 32);
      try {
        EXPECT_EQ(run(program, shape.kernel, grid.ctas, grid.threads)[0], warps * shape.adders_a_warp);
      } catch (const reference::EndlessError& error) {
        EXPECT_FALSE(shape.ends_on_a_stack) << error.what();
        EXPECT_THAT(error.what(), HasSubstr("repeat"));
        EXPECT_THAT(error.what(), HasSubstr("for them at line"));
        continue;
      }
      EXPECT_TRUE(shape.ends_on_a_stack);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Optimisation, Locks, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace heddle::device_test
