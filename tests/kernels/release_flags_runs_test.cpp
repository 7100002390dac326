// Runs every kernel with release flags and a release flag cache. The outputs must equal those of the untimed
// reference. Every metadata word that a warp passes must be counted.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "models/compiler/check_releases.h"
#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/counts.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle::kernel_runs {
namespace {

using testing_support::sum_of;

struct Words {
  std::uint64_t hits = 0, misses = 0, lists = 0;
};

Words run_with(const std::string& kernel, const std::string& pass, int entries, int width) {
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.launch = testing_support::small_launch(kernel);
  request.with = testing_support::techniques_of(kernel);
  request.sets = {
      R"(compiler.passes=["fold-parameters","fold-conversions","propagate-copies","remove-dead-code",)" +
          pass + "]",
      R"(gpu.sm.front_end.stages=[{"type":"release-flag-cache","entries":)" + std::to_string(entries) + "}]",
      "gpu.sm.front_end.instructions_per_fetch=" + std::to_string(width), "watch.check=on", "gpu.sms=1"};
  const testing_support::Simulation simulation;
  run::RunSession session(run::read_scenario(request));
  const run::RunResult& result = session.run();
  EXPECT_TRUE(result.checked) << result.unchecked_reason;
  EXPECT_TRUE(result.equal) << launch::report_differences(result.comparisons);
  EXPECT_EQ(testing_support::conservation_violations(session.gpu(), session.stats()), "");
  for (const auto& program : session.programs()) EXPECT_TRUE(compiler::uses_releases(*program.second));
  const StatsRegistry& stats = session.stats();
  const Words words{sum_of(stats, ".release-flag-cache.hits"), sum_of(stats, ".release-flag-cache.misses"),
                    sum_of(stats, ".release-flag-cache.pbr_decodes")};
  EXPECT_EQ(sum_of(stats, ".front_end.metadata_decodes"), words.misses + words.lists);
  EXPECT_EQ(sum_of(stats, ".front_end.metadata_passed") + sum_of(stats, ".front_end.metadata_undecoded"),
            words.hits);
  EXPECT_GT(sum_of(stats, ".front_end.decodes"), sum_of(stats, ".front_end.metadata_decodes"));
  return words;
}

class ReleaseFlags : public testing::TestWithParam<std::string> {};

// A cache must hit, and reduce the misses. Half of the kernels test this; the other half run with exact flags
// and narrow fetches. HEDDLE_FULL runs all kernels with all settings.
TEST_P(ReleaseFlags, LeaveResultsAsTheyAreAndWordsAreAccountedFor) {
  const std::vector<std::string> all = testing_support::kernels();
  const auto number = std::find(all.begin(), all.end(), GetParam()) - all.begin();
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  if (full || number % 2 == 0) {
    const Words none = run_with(GetParam(), R"("release-flags")", 0, 2);
    EXPECT_EQ(none.hits, 0u);
    EXPECT_GT(none.misses, 0u);
    const Words ten = run_with(GetParam(), R"("release-flags")", 10, 2);
    EXPECT_GT(ten.hits, 0u);
    EXPECT_LT(ten.misses, none.misses);
  }
  if (full || number % 2 == 1)
    run_with(GetParam(), R"({"type":"release-flags","divergence":"exact","empty_pir":false})", 5, 1);
}

INSTANTIATE_TEST_SUITE_P(, ReleaseFlags, testing::ValuesIn(testing_support::kernels()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace heddle::kernel_runs
