// Kernels of testbench/kernels through every named stack: outputs as the untimed reference leaves them. A
// pairwise cover of kernels, stacks and schedulers; HEDDLE_FULL runs the product.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/hierarchy/named_stacks.h"
#include "tests/support/conservation.h"
#include "tests/support/simulation.h"

namespace heddle::hierarchy {
namespace {

const std::filesystem::path kKernels = "testbench/kernels";
constexpr const char* kSchedulers[] = {R"("gto")",
                                       R"({"type":"two-level","active_warps":4,"inner":"greedy"})",
                                       R"({"type":"two-level","active_warps":1})"};

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(kKernels, missing))
    if (std::filesystem::exists(entry.path() / "small.json"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void expect_same(const std::string& kernel, const Stack& stack, const std::string& scheduler) {
  SCOPED_TRACE(kernel + ", " + stack.name + ", " + scheduler);
  run::ScenarioRequest request;
  request.gpu = "fermi-gebhart";
  request.launch = (kKernels / kernel / "small.json").string();
  request.sets = {passes_setting(stack), stages_setting(stack), "gpu.sm.scheduler=" + scheduler,
                  "watch.check=on", "gpu.sms=2"};
  const testing_support::Simulation simulation;
  run::RunSession session(run::read_scenario(request));
  const run::RunResult& result = session.run();
  ASSERT_TRUE(result.checked) << result.unchecked_reason;
  EXPECT_TRUE(result.equal) << launch::report_differences(result.comparisons);
  EXPECT_EQ(testing_support::conservation_violations(session.gpu(), session.stats()), "");
}

TEST(NamedStacks, KernelsComputeTheSame) {
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  const std::vector<Stack> stacks = named_stacks();
  const std::vector<std::string> names = kernels();
  ASSERT_GE(names.size(), 18u);
  std::size_t next = 0;
  for (std::size_t k = 0; k < names.size(); ++k)
    for (std::size_t s = 0; s < stacks.size(); ++s)
      for (std::size_t c = 0; c < std::size(kSchedulers); ++c)
        // Every kernel meets a third of the stacks and every scheduler, every stack a third of the kernels.
        if (full || ((k + s) % 5 == 0 && (next++ + k) % std::size(kSchedulers) == c))
          expect_same(names[k], stacks[s], kSchedulers[c]);
}

}  // namespace
}  // namespace heddle::hierarchy
