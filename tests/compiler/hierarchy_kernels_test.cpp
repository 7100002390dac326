// Compiles all kernels with every option of the register-hierarchy passes. Every read must find its value
// (check_levels), no warp may wait within a strand, and the annotations must save energy.

#include <gtest/gtest.h>

#include "models/compiler/check_levels.h"
#include "models/compiler/predict_accesses.h"
#include "models/ptx/module.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/program_provider.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/hierarchy_options.h"
#include "tests/compiler/level_proofs.h"

namespace heddle::compiler {
namespace {

class HierarchyKernels : public testing::TestWithParam<std::string> {};

TEST_P(HierarchyKernels, EveryOptionKeepsItsPromises) {
  const auto file =
      launch::read_launch_file(test::repository_file("testbench/kernels/" + GetParam() + "/small.json"));
  launch::PtxPrograms programs(file);
  for (const ptx::KernelName& kernel : programs.module()->kernels()) {
    const isa::Program parsed = *programs.program(kernel.mangled);
    for (const auto& [name, passes, entries] : test::hierarchy_pipelines()) {
      SCOPED_TRACE(kernel.mangled + " " + name);
      const isa::Program compiled = compile(parsed, test::with_pass_texts(passes));
      const ControlFlow flow(compiled);
      const Divergence divergence(compiled, flow);
      const auto fault = find_level_fault(compiled, flow, divergence, false);
      EXPECT_FALSE(fault) << fault->instruction << ": " << fault->what;
      const auto wait = find_mid_strand_wait(compiled, flow, WarpFlow(compiled, flow, divergence));
      EXPECT_FALSE(wait) << "instruction " << *wait;
      const AccessEnergy energy = AccessEnergy{}.resolved(entries);
      EXPECT_LE(predict_accesses(compiled).energy_pj(energy),
                predict_flat_accesses(compiled).energy_pj(energy));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HierarchyKernels, testing::ValuesIn(test::kernel_folders()),
                         [](const auto& kernel) { return kernel.param; });

}  // namespace
}  // namespace heddle::compiler
