// Runs whole kernels whose warps fold, with shifted and gated lanes. Outputs must equal the untimed
// reference, counters must add up, unneeded lanes must be gated, and sleeping SMs must not change statistics.
// HEDDLE_FULL runs every kernel.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "testbench/launch/output_compare.h"
#include "testbench/run/data_files.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/counts.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle::folding_tests {
namespace {

using testing_support::Counts;
using testing_support::sum_of;

Counts run(const std::string& kernel, std::vector<std::string> sets, bool every_cycle = false) {
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.launch = testing_support::small_launch(kernel);
  request.with = testing_support::techniques_of(kernel);
  request.sets = std::move(sets);
  request.sets.insert(request.sets.end(), {"gpu.sms=1", "watch.max_cycles=9000000", "watch.check=on",
                                           fmt::format("watch.every_cycle={}", every_cycle)});
  const testing_support::Simulation simulation;
  run::RunSession session(run::read_scenario(request));
  const run::RunResult& result = session.run();
  EXPECT_TRUE(result.equal) << kernel << ": " << launch::report_differences(result.comparisons);
  EXPECT_EQ(testing_support::conservation_violations(session.gpu(), session.stats()), "");
  return testing_support::counts_of(session.stats());
}

/// Returns the settings of machine number n. Machines differ in folding, lane shifting, split, granularity,
/// policy, scheduler and register stages.
std::vector<std::string> machine(unsigned n) {
  const auto choose = [&n](std::initializer_list<const char*> from) {
    const std::string chosen = from.begin()[n % from.size()];
    n /= static_cast<unsigned>(from.size());
    return chosen;
  };
  std::vector<std::string> sets = {
      "gpu.sm.folding.policy=" +
          choose({R"("always")", R"("phased")", R"({"type":"phased","phase_cycles":40})"}),
      "gpu.sm.folding.lane_shift=" + choose({"pack", "off"}),
      "gpu.sm.folding.split=" + choose({"position", "rank"}),
      "gpu.sm.scheduler=" + choose({R"("origami")", R"("two-level")", R"("gto")", R"({"type":"gates"})"}),
      "gpu.sm.issue_width=" + choose({"2", "1"})};
  const std::string granularity = choose({"lane", "quad-half", "unit"});
  const std::string gating =
      choose({R"({"type":"eager"})", R"("naive-blackout")", R"("conventional")",
              R"({"type":"eager","base":{"type":"adaptive","base":"naive-blackout"}})"});
  for (const char* unit : {"int", "fp"}) {
    sets.push_back(fmt::format("gpu.sm.gating.{}.granularity={}", unit, granularity));
    sets.push_back(fmt::format("gpu.sm.gating.{}.policy={}", unit, gating));
  }
  sets.push_back("gpu.sm.register_file.stages=" +
                 choose({R"(["banks"])", R"([{"type":"register-cache","entries":6},"banks"])"}));
  return sets;
}

// Kernels with carry chains and 64-bit register pairs (prime_test, jacobi_f64), votes (compact), shuffles
// (scan, scalar_prod), half-filled warps (nw), a last warp that is not full (string_search), guards and
// divergence (bfs, mandelbrot).
class Kernels : public testing::TestWithParam<std::string> {};

TEST_P(Kernels, ComputeTheSameFolded) {
  const std::string& kernel = GetParam();
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  const std::set<std::string> by_default = {"prime_test", "compact", "scan", "nw", "string_search", "bfs"};
  if (!full && !by_default.contains(kernel)) GTEST_SKIP() << "runs with scripts/test --full";
  unsigned seed = 0;
  for (const char c : kernel) seed = seed * 31 + static_cast<unsigned char>(c);
  for (unsigned n = 0; n < (full ? 8u : 1u); ++n) {
    const Counts counts = run(kernel, machine(seed + n * 7919));
    EXPECT_GT(sum_of(counts, "units.int", ".passes"), sum_of(counts, "units.int", ".operations"))
        << "nothing folded";
    const std::uint64_t folded = sum_of(counts, ".units.", ".folded");
    EXPECT_EQ(
        sum_of(counts, "units.int", ".passes") + sum_of(counts, "units.fp", ".passes"),
        sum_of(counts, "units.int", ".operations") + sum_of(counts, "units.fp", ".operations") + folded);
  }
}

INSTANTIATE_TEST_SUITE_P(, Kernels, testing::ValuesIn(testing_support::kernels()),
                         [](const auto& instance) { return instance.param; });

TEST(FoldingRun, SameSleepingOrTicking) {
  for (const unsigned n : {0u, 1u, 5u}) {
    const Counts sleeping = run("reduction", machine(n)), ticking = run("reduction", machine(n), true);
    for (const auto& [name, value] : sleeping) EXPECT_EQ(ticking.at(name), value) << name;
  }
}

const std::vector<std::string> kFoldAndGate = {"gpu.sm.folding.policy=\"always\"",
                                               "gpu.sm.gating.int.granularity=quad-half",
                                               "gpu.sm.gating.int.policy={\"type\":\"eager\"}"};

// All INT and FP instructions fold, except operations across lanes. The upper halves of the INT pipelines are
// therefore gated from their first idle cycle on.
TEST(FoldingRun, UpperHalvesSleep) {
  const Counts counts = run("gaussian", kFoldAndGate);
  const std::uint64_t gated = sum_of(counts, "gating.int", ".quad_halves.compensated_cycles");
  const std::uint64_t all = gated + sum_of(counts, "gating.int", ".quad_halves.on_cycles") +
                            sum_of(counts, "gating.int", ".quad_halves.uncompensated_cycles") +
                            sum_of(counts, "gating.int", ".quad_halves.wake_up_cycles");
  EXPECT_GT(gated, all * 49 / 100);
  const Counts shuffles = run("scan", kFoldAndGate);
  EXPECT_GT(sum_of(shuffles, "gating.int", ".quad_halves.wake_ups"), 0u) << "shuffles wake the upper lanes";
}

TEST(FoldingRun, OffChangesNothing) {
  const Counts plain = run("gaussian", {});
  const Counts off = run("gaussian", {"gpu.sm.folding.split=rank", "gpu.sm.folding.extra_cycles=9"});
  EXPECT_EQ(plain, off);
}

}  // namespace
}  // namespace heddle::folding_tests
