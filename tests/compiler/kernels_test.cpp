// All compiled kernels compute the same results as the parsed PTX. They are compiled with many registers,
// with fewer, with so few that values are spilled, and without clean-up passes.

#include <gtest/gtest.h>

#include <memory>

#include "testbench/launch/launch_format.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/output_compare.h"
#include "testbench/launch/program_provider.h"
#include "testbench/launch/reference_executor.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler {
namespace {

struct LaunchOnce {
  explicit LaunchOnce(const launch::LaunchFile& file, launch::PtxPrograms::Compile compile = {})
      : programs(file.ptx, std::move(compile)), walk(file, programs, memory) {
    walk.prepare();
    walk.run(executor);
  }
  MemoryImage memory;
  launch::PtxPrograms programs;
  launch::ReferenceExecutor executor;
  launch::LaunchRun walk;
};

class Kernels : public testing::TestWithParam<std::string> {};

TEST_P(Kernels, ComputeTheSame) {
  const auto file =
      launch::read_launch_file(test::repository_file("testbench/kernels/" + GetParam() + "/small.json"));
  const LaunchOnce expected(file);
  for (const int registers : {63, 20, 16, 0}) {
    SCOPED_TRACE(registers);
    CompilerParameters parameters = test::limits(registers ? registers : 63);
    if (registers == 0) parameters.passes.clear();
    std::uint32_t most = 0;
    const LaunchOnce actual(file, [&](isa::Program parsed) {
      isa::Program compiled = compile(parsed, parameters);
      most = std::max(most, compiled.registers);
      return compiled;
    });
    EXPECT_LE(most, static_cast<std::uint32_t>(parameters.max_registers));
    EXPECT_EQ(
        launch::report_differences(launch::compare_outputs(actual.walk.outputs(), expected.walk.outputs())),
        "");
    if (registers == 63) {
      EXPECT_LT(actual.executor.total().warp_instructions, expected.executor.total().warp_instructions);
      EXPECT_EQ(actual.executor.total().overhead_instructions, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(test::kernel_folders()),
                         [](const auto& kernel) { return kernel.param; });

}  // namespace
}  // namespace heddle::compiler
