// Runs kernels at their small size on the cores of ampere-a6000 and turing-rtx2080ti. Outputs must equal
// those of the untimed reference: with control bits and with scoreboards in their place, with and without the
// pass schedule-latencies. This pass must not reduce the number of CTAs that fit on an SM. HEDDLE_FULL runs
// all kernels with all combinations. By default, each combination runs some kernels.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "models/compiler/pipeline.h"
#include "models/core/error.h"
#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle::kernel_runs {
namespace {

using testing_support::kernels;

constexpr const char* kPresets[] = {"ampere-a6000", "turing-rtx2080ti"};
constexpr int kMachines = 3;  ///< control bits, scoreboard, consumer-scoreboard
constexpr std::size_t kCombinations = std::size(kPresets) * kMachines * 2;

struct Combination {
  std::string preset;
  int machine = 0;
  bool scheduled = true;
};

Combination combination(std::size_t n) {
  return {kPresets[n % 2], static_cast<int>(n / 2 % kMachines), n / (2 * kMachines) == 0};
}

std::string text_of(const Combination& c) {
  const char* machines[] = {"control bits", "scoreboard", "consumer-scoreboard"};
  return c.preset + ", " + machines[c.machine] + (c.scheduled ? ", scheduled" : "");
}

run::RunParameters parameters_of(const std::string& kernel, const Combination& c) {
  run::ScenarioRequest request;
  request.gpu = c.preset;
  request.launch = testing_support::small_launch(kernel);
  request.sets = {"gpu.sms=1", "watch.check=on", "watch.interval_cycles=5000", "power.technologies=[]"};
  if (c.machine != 0) {
    const char* scoreboard = c.machine == 1 ? "scoreboard" : "consumer-scoreboard";
    request.sets.push_back(std::string("gpu.sm.constraints=[\"") + scoreboard +
                           R"(","collector-free","latch-free","unit-gated"])");
  }
  if (!c.scheduled) {
    // Compile with the default passes, without schedule-latencies and control-bits. Heddle adds the pass
    // control-bits if the GPU needs it.
    std::vector<std::string> names;
    for (const ConfigNode& pass : compiler::default_passes())
      names.push_back("\"" + choice_name(pass) + "\"");
    request.sets.push_back(fmt::format("compiler.passes=[{}]", fmt::join(names, ",")));
  }
  return run::read_scenario(request);
}

/// For each kernel of a launch file, the number of CTAs that an SM holds at once. If the kernel has several
/// launches, the largest of their numbers.
using Fitting = std::map<std::string, int>;

// Runs the launch file of `kernel`. Returns "" if all is right, otherwise a difference from the reference, an
// equation between counters that does not hold, or the error that refuses the run.
std::string run_on(const std::string& kernel, const Combination& c, Fitting& fitting) try {
  const testing_support::Simulation simulation;
  run::RunSession session(parameters_of(kernel, c));
  const run::RunResult& result = session.run();
  for (const run::LaunchRecord& launch : result.launches) {
    int& ctas = fitting[launch.kernel];
    ctas = std::max(ctas, static_cast<int>(std::min<std::uint64_t>(
                              static_cast<std::uint64_t>(launch.ctas_per_sm), launch.ctas_total)));
  }
  if (!result.checked) return result.unchecked_reason;
  if (!result.equal) return launch::report_differences(result.comparisons);
  return testing_support::conservation_violations(session.gpu(), session.stats());
} catch (const Error& error) {
  return error.what();
}

class ModernCoreKernels : public testing::TestWithParam<std::string> {};

TEST_P(ModernCoreKernels, ComputeWhatTheReferenceDoes) {
  const std::vector<std::string> names = kernels();
  const auto number =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), GetParam()) - names.begin());
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  // By default, every seventh kernel runs, so that each combination runs with one of them.
  if (!full && number % 7 != 0) GTEST_SKIP() << "runs with scripts/test --full";
  std::map<std::string, Fitting> scheduled, plain;
  for (std::size_t n = 0; n < kCombinations; ++n) {
    if (!full && n != number % kCombinations) continue;
    const Combination c = combination(n);
    SCOPED_TRACE(text_of(c));
    const std::string failure = run_on(GetParam(), c, (c.scheduled ? scheduled : plain)[c.preset]);
    // Turing has no matrix products of tf32.
    if (GetParam() == "tf32_gemm" && c.preset == kPresets[1])
      EXPECT_NE(failure.find("tf32"), std::string::npos) << failure;
    else
      EXPECT_EQ(failure, "");
  }
  for (const auto& [preset, all] : plain)
    for (const auto& [kernel, ctas] : all)
      if (scheduled.contains(preset)) EXPECT_GE(scheduled[preset][kernel], ctas) << preset << ", " << kernel;
}

INSTANTIATE_TEST_SUITE_P(, ModernCoreKernels, testing::ValuesIn(kernels()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace heddle::kernel_runs
