// Runs every kernel with one of two small register files: the smallest file into which one CTA of the kernel
// fits (Jeon 2015, 8.1), or a file of half this size, from which registers are spilled. Both admit as many CTAs
// as a file of full size. Outputs must equal those of the untimed reference, counters must add up, and no
// deadlock may occur. HEDDLE_FULL runs every kernel with both, with 50, 60 and 70 % of the file of Jeon 2015,
// with the smallest file into which one warp fits, and with other schedulers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "models/compiler/pipeline.h"
#include "models/core/error.h"
#include "models/isa/mbarrier.h"
#include "models/ptx/module.h"
#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle::kernel_runs {
namespace {

run::RunParameters in_file(const std::string& kernel, int entries, const std::vector<std::string>& sets) {
  run::ScenarioRequest request;
  request.gpu = "fermi-virtualization";
  request.launch = testing_support::small_launch(kernel);
  request.with = testing_support::techniques_of(kernel);
  request.with.insert(request.with.end(), {"virtualization", "gpu-shrink"});
  request.sets = {"gpu.sms=1", "watch.check=on", "power.technologies=[]", "watch.interval_cycles=5000",
                  "gpu.sm.register_file.banks.entries=" + std::to_string(entries)};
  request.sets.insert(request.sets.end(), sets.begin(), sets.end());
  return run::read_scenario(request);
}

std::string run_in(const std::string& kernel, int entries, const std::vector<std::string>& sets) try {
  const testing_support::Simulation simulation;
  run::RunSession session(in_file(kernel, entries, sets));
  const run::RunResult& result = session.run();
  if (result.checked && !result.equal) return launch::report_differences(result.comparisons);
  return testing_support::conservation_violations(session.gpu(), session.stats());
} catch (const Error& error) {
  return error.what();
}

bool polls(const isa::Instruction& i) { return isa::reads_mbarrier(i.modifiers.atomic); }

struct Least {
  int cta = 4, warp = 4;
};
Least least_entries(const std::string& kernel) {
  const testing_support::Simulation simulation;
  run::RunSession session(in_file(kernel, 256, {"watch.check=off", "watch.sample.ctas=1"}));
  Least least;
  for (const run::LaunchRecord& launch : session.run().launches) {
    const auto warps = static_cast<int>((launch.block.count() + 31) / 32);
    const auto registers = static_cast<int>(launch.registers);
    // Register r of warp w lies in bank (w + r) mod 4, and the SM has 48 warp slots. If a warp has 4 q + n
    // registers, a bank holds q + 1 registers of each of 12 n warps, and q registers of each other warp.
    least.cta = std::max(least.cta, warps * (registers / 4) + std::min(warps, 12 * (registers % 4)));
    least.warp = std::max(least.warp, (registers + 3) / 4);
  }
  // A warp that polls an mbarrier keeps its registers. The warps for which this warp waits need registers at
  // the same time, so the file must be large enough for a whole CTA.
  for (const auto& [name, program] : session.programs())
    if (std::any_of(program->code.begin(), program->code.end(), polls)) least.warp = least.cta;
  return least;
}

// Compiles a kernel for `warps` resident warps. A renaming table of 1 KB has 819 entries of 10 bits. This
// suffices for 17 registers per thread with 48 warps, 20 with 40 warps, and 25 with 32 warps (Jeon 2015,
// 7.1).
isa::Program compiled(const std::string& kernel, int warps) {
  const auto module = ptx::parse_module_file((testing_support::kKernels / kernel / "kernel.ptx").string());
  compiler::CompilerParameters parameters;
  parameters.passes = compiler::default_passes();
  parameters.passes.push_back(ConfigNode::make_string("exempt-registers"));
  parameters.passes.push_back(ConfigNode::make_string("release-flags"));
  parameters.resident_warps = [warps](const isa::Program&) { return warps; };
  return compiler::compile(ptx::lower_kernel(*module, module->kernels().front().mangled), parameters);
}

TEST(ExemptRegisters, AreThoseThatTheTableHasNoRoomFor) {
  const isa::Program hotspot = compiled("hotspot", 48), matrix_mul = compiled("matrix_mul", 40);
  EXPECT_EQ(hotspot.registers, 18u);
  EXPECT_EQ(hotspot.exempt_registers, 1u);
  EXPECT_EQ(matrix_mul.registers, 22u);
  EXPECT_EQ(matrix_mul.exempt_registers, 2u);
  EXPECT_EQ(compiled("hotspot", 32).exempt_registers, 0u);
  const isa::Program scan = compiled("scan", 48);
  EXPECT_EQ(scan.registers, 20u);
  EXPECT_GE(scan.exempt_registers, 3u);
}

class SmallFiles : public testing::TestWithParam<std::string> {};

TEST_P(SmallFiles, ComputeTheSame) {
  const Least least = least_entries(GetParam());
  const std::string refuse = "gpu.sm.constraints[register-throttle].on_shortage=refuse";
  RecordProperty("registers", 4 * least.cta);
  const std::vector<std::string> all = testing_support::kernels();
  const bool even = (std::find(all.begin(), all.end(), GetParam()) - all.begin()) % 2 == 0;
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  if (full || even) EXPECT_EQ(run_in(GetParam(), least.cta, {refuse}), "") << least.cta;
  if (least.cta > 4) {
    EXPECT_NE(run_in(GetParam(), least.cta - 1, {"watch.check=off", refuse}).find("does not fit on an SM"),
              std::string::npos);
  }
  if (full || !even) EXPECT_EQ(run_in(GetParam(), std::max(least.warp, least.cta / 2), {}), "");
  if (!full) return;
  if (least.warp > 4) {
    EXPECT_NE(run_in(GetParam(), least.warp - 1, {"watch.check=off"}).find("for one warp at a time"),
              std::string::npos);
  }
  for (const int size : {least.warp, least.cta, 128, 153, 179})
    for (const char* set : {"gpu.sm.scheduler=lrr", "gpu.sm.scheduler=gto", "gpu.sm.scheduler.active_warps=1",
                            "gpu.sm.scheduler.active_warps=2", "gpu.sm.scheduler.active_warps=8",
                            "gpu.sm.issue_width=2", "gpu.sm.constraints[register-throttle].scope=need",
                            "gpu.sm.register_file.stages[renaming].allocate=write",
                            "gpu.sm.register_file.stages[renaming].packing=round-robin",
                            "gpu.sm.register_file.stages[renaming].bank_full=next-bank",
                            "gpu.sm.register_file.stages[renaming].gating.wake_up_cycles=10",
                            "compiler.passes[release-flags].divergence=exact"})
      EXPECT_EQ(run_in(GetParam(), std::max(size, size == least.warp ? least.warp : least.cta), {set}), "")
          << size << " " << set;
}

std::vector<std::string> kernels_of_single_ctas() {
  std::vector<std::string> names = testing_support::kernels();
  std::erase(names, "grid_reduction");
  return names;
}

INSTANTIATE_TEST_SUITE_P(, SmallFiles, testing::ValuesIn(kernels_of_single_ctas()),
                         [](const auto& instance) { return instance.param; });

// In a cooperative launch, warps that wait for other CTAs keep their registers. The launch can run only if
// the register files of all SMs together hold the registers of all its CTAs. Otherwise the launch must be
// refused, and the error must state the numbers.
TEST(CooperativeGrids, FitByTheirRegistersOrAreRefused) {
  EXPECT_EQ(run_in("grid_reduction", 48, {}), "");
  EXPECT_NE(run_in("grid_reduction", 40, {})
                .find("has 4 CTAs, which must be resident at once (allowed: up to 3: 3 on "
                      "each of 1 SMs)"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::kernel_runs
