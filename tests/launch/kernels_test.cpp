// Runs every kernel with its small launch file on the untimed reference. The outputs must equal those of the
// C++ reference, within the tolerance of the launch file.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "testbench/kernels/kernel_reference.h"
#include "testbench/launch/narrow_ptx.h"
#include "testbench/launch/output_compare.h"
#include "testbench/launch/reference_executor.h"
#include "tests/launch/launch_kernel_data.h"
#include "tests/support/kernel_list.h"

namespace heddle::launch::testing {
namespace {

using testing_support::kKernels;

class Kernels : public ::testing::TestWithParam<std::string> {};

TEST_P(Kernels, ComputeWhatTheirReferenceDoes) {
  const auto reference = kernels::kernel_references().find(GetParam());
  ASSERT_NE(reference, kernels::kernel_references().end());
  const LaunchFile file = read_launch_file(testing_support::small_launch(GetParam()));
  PtxPrograms programs(file);
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  LaunchKernelData expected(file, run);
  reference->second(expected);
  reference::ReferenceOptions options;
  options.max_warp_instructions = 2'000'000;
  ReferenceExecutor executor(options);
  run.run(executor);
  EXPECT_TRUE(run.warnings().empty());
  EXPECT_LE(executor.total().warp_instructions, 200'000u) << "small sizes are for tests";
  for (const BufferView& output : run.outputs()) {
    const BufferComparison comparison =
        compare_buffers(output, expected.view(output.name), output.with_source.value_or(Tolerance{}));
    EXPECT_TRUE(comparison.equal) << comparison.report();
  }
}

std::vector<std::vector<std::uint8_t>> outputs_of(LaunchFile file, const std::string& ptx, int address_bits) {
  file.ptx = {ptx};
  PtxPrograms programs(file);
  EXPECT_EQ(programs.address_bits(), address_bits);
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  ReferenceExecutor executor;
  run.run(executor);
  std::vector<std::vector<std::uint8_t>> bits;
  for (const BufferView& output : run.outputs()) {
    EXPECT_LE(address_bits == 32 ? output.address + output.data.size() : 0, std::uint64_t{1} << 32);
    bits.emplace_back(output.data.begin(), output.data.end());
  }
  return bits;
}

TEST_P(Kernels, GiveTheSameBitsWith32BitAddresses) {
  const LaunchFile file = read_launch_file(testing_support::small_launch(GetParam()));
  const std::string wide = (kKernels / GetParam() / "kernel.ptx").string();
  EXPECT_EQ(outputs_of(file, narrow_ptx(wide), 32), outputs_of(file, wide, 64));
}

INSTANTIATE_TEST_SUITE_P(, Kernels, ::testing::ValuesIn(testing_support::kernels()),
                         [](const auto& instance) { return instance.param; });

// Returns true if matrix units of the generation add as those of ampere do: 8 products at once, with 24
// fraction bits. The C++ reference of the kernel tensor_sums uses this rule. turing and ada have the same
// rule; volta adds 4 products with 23 bits, hopper 16 products with 25 bits.
bool has_the_sums_of_ampere(isa::MatrixGeneration generation) {
  const LaunchFile file = read_launch_file(testing_support::small_launch("tensor_sums"));
  PtxPrograms programs(file);
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  LaunchKernelData expected(file, run);
  kernels::kernel_references().at("tensor_sums")(expected);
  reference::ReferenceOptions options;
  options.matrix.generation = generation;
  ReferenceExecutor executor(options);
  run.run(executor);
  return compare_buffers(run.outputs().front(), expected.view("results"), Tolerance{}).equal;
}

TEST(TensorSums, TellGenerationsOfMatrixUnits) {
  for (const auto same :
       {isa::MatrixGeneration::turing, isa::MatrixGeneration::ampere, isa::MatrixGeneration::ada})
    EXPECT_TRUE(has_the_sums_of_ampere(same)) << isa::name_of(same);
  for (const auto other : {isa::MatrixGeneration::volta, isa::MatrixGeneration::hopper})
    EXPECT_FALSE(has_the_sums_of_ampere(other)) << isa::name_of(other);
}

TEST(KernelFolders, AreAllThere) { EXPECT_GE(testing_support::kernels().size(), 18u); }

}  // namespace
}  // namespace heddle::launch::testing
