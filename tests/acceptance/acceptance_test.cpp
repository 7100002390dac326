// Runs whole programs as compilers write them. The untimed reference must compute the right results. The
// timed GPU of every preset must compute these results too: with clean-up passes, without these passes, and
// with few registers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "models/compiler/pipeline.h"
#include "models/gpu/gpu.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/output_compare.h"
#include "testbench/launch/program_provider.h"
#include "testbench/launch/reference_executor.h"
#include "testbench/run/scenario.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

using Words = std::vector<std::uint32_t>;

class Timed : public launch::LaunchExecutor {
 public:
  explicit Timed(Gpu& gpu) : gpu_(gpu) {}
  void launch(const isa::KernelLaunch& launch, MemoryImage&) override { gpu_.run(launch); }

 private:
  Gpu& gpu_;
};

struct Setting {
  std::string gpu;
  int registers;
  bool clean_ups;
};

std::string run_timed(const launch::LaunchFile& file, const std::shared_ptr<const ptx::Module>& module,
                      const std::vector<launch::BufferView>& expected, const Setting& setting) {
  run::ScenarioRequest request;
  request.gpu = setting.gpu;
  request.sets = {"gpu.sms=1"};
  run::RunParameters parameters = run::read_scenario(request);
  parameters.compiler.max_registers = setting.registers;
  if (!setting.clean_ups) parameters.compiler.passes.clear();
  launch::PtxPrograms compiled(
      module, [&](const isa::Program& program) { return compiler::compile(program, parameters.compiler); });
  MemoryImage memory;
  launch::LaunchRun run(file, compiled, memory);
  run.prepare();
  const testing_support::Simulation simulation;
  StatsRegistry stats;
  Gpu gpu("gpu", parameters.gpu, memory, stats, {});
  Timed timed(gpu);
  run.run(timed);
  return launch::report_differences(launch::compare_outputs(run.outputs(), expected));
}

Words run_everywhere(const std::string& name) {
  const launch::LaunchFile file = launch::read_launch_file("tests/acceptance/programs/" + name + ".json");
  launch::PtxPrograms parsed(file);
  MemoryImage memory;
  launch::LaunchRun reference(file, parsed, memory);
  reference.prepare();
  launch::ReferenceExecutor untimed;
  reference.run(untimed);
  for (const char* gpu : {"fermi-gebhart", "fermi-gtx480", "maxwell-gtx980"})
    for (const int registers : {63, 16})
      for (const bool clean_ups : {true, false}) {
        const Setting setting{gpu, registers, clean_ups};
        EXPECT_EQ(run_timed(file, parsed.module(), reference.outputs(), setting), "")
            << fmt::format("{} on {}, {} registers, clean-ups {}", name, gpu, registers, clean_ups);
      }
  const launch::BufferView view = reference.buffer("results");
  Words words(view.data.size() / 4);
  std::memcpy(words.data(), view.data.data(), 4 * words.size());
  return words;
}

TEST(Acceptance, PredicatesThatAreConstants) {
  const Words results = run_everywhere("constant_predicates");
  ASSERT_EQ(results.size(), 96u);
  for (std::uint32_t t = 0; t < 96; ++t) EXPECT_EQ(results[t], (t < 40 ? 3 * t + 9 : 107) + 96 + 1000) << t;
}

// nvcc's code for a division of 128-bit numbers mixes subc.cc and addc instructions.
TEST(Acceptance, DivisionsOf128Bits) {
  __extension__ using UInt128 = unsigned __int128;
  const Words results = run_everywhere("wide_division");
  ASSERT_EQ(results.size(), 4u * 64);
  for (std::uint64_t t = 0; t < 64; ++t) {
    const std::uint64_t value = t * 0x0123'4567'89ab'cdef + 77;
    const UInt128 wide = static_cast<UInt128>(value) * value * 3 + 5, quotient = wide / 10;
    for (unsigned w = 0; w < 4; ++w)
      EXPECT_EQ(results[4 * t + w], static_cast<std::uint32_t>(quotient >> (32 * w))) << t << ", word " << w;
  }
}

}  // namespace
}  // namespace heddle
