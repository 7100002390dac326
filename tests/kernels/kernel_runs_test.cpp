// Runs every kernel at its small size on the timed GPU. The kernel's outputs must equal those of the untimed
// reference. This must hold with every part (cover.cpp), with many registers, with so few registers that
// values are spilled, and with and without clean-up passes. The counters must add up in every interval. One of
// a kernel's rows runs on all SMs of the preset, the others run on two SMs. HEDDLE_FULL runs all rows on all SMs,
// and all combinations of the main axes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "models/ptx/module.h"
#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "tests/kernels/cover.h"
#include "tests/support/conservation.h"
#include "tests/support/counts.h"
#include "tests/support/kernel_list.h"
#include "tests/support/random_setting.h"
#include "tests/support/simulation.h"

namespace heddle::kernel_runs {
namespace {

using testing_support::kernels;
using testing_support::small_launch;
using testing_support::sum_of;

std::size_t number_of(const std::string& kernel) {
  const std::vector<std::string> names = kernels();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), kernel) - names.begin());
}

void expect_same_results(const std::string& kernel, const Row& row, bool all_sms) {
  SCOPED_TRACE(text_of(row));
  const testing_support::Simulation simulation;
  run::RunParameters parameters = parameters_of(row, small_launch(kernel));
  if (!all_sms) parameters.gpu.sms = std::min(parameters.gpu.sms, 2);
  run::RunSession session(parameters);
  const run::RunResult& result = session.run();
  ASSERT_TRUE(result.checked) << result.unchecked_reason;
  EXPECT_TRUE(result.equal) << launch::report_differences(result.comparisons);
  EXPECT_EQ(testing_support::conservation_violations(session.gpu(), session.stats()), "");
  const bool spills =
      std::any_of(session.programs().begin(), session.programs().end(), [](const auto& program) {
        const auto& code = program.second->code;
        return std::any_of(code.begin(), code.end(), [](const isa::Instruction& i) { return i.overhead; });
      });
  EXPECT_EQ(sum_of(session.stats(), ".issue.overhead") > 0, spills);
}

/// All CTAs of a cooperative launch must be resident, for which two SMs can be too few.
bool is_cooperative(const std::string& kernel) {
  const launch::LaunchFile file = launch::read_launch_file(small_launch(kernel));
  return std::any_of(file.steps.begin(), file.steps.end(), [](const auto& step) { return step.cooperative; });
}

class EveryKernel : public testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, ComputesOnTheTimedGpuWhatTheReferenceDoes) {
  const std::size_t kernel = number_of(GetParam());
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  const std::vector<Row> rows = (full ? pairwise_rows(kernel + 1) : default_rows(kernel + 1)).back();
  const bool all_sms = full || is_cooperative(GetParam());
  for (std::size_t r = 0; r < rows.size(); ++r)
    expect_same_results(GetParam(), rows[r], all_sms || r == kernel % rows.size());
  if (!full) return;
  for (const Row& row : all_rows(kernel)) expect_same_results(GetParam(), row, true);
}

INSTANTIATE_TEST_SUITE_P(, EveryKernel, testing::ValuesIn(kernels()),
                         [](const auto& instance) { return instance.param; });

TEST(Cover, MeetsEveryPairOfValues) {
  const std::size_t kernels = testing_support::kernels().size();
  ASSERT_GE(kernels, 18u);
  std::set<std::vector<std::size_t>> met;
  const auto all = default_rows(kernels);
  std::size_t rows = 0;
  for (std::size_t k = 0; k < kernels; ++k) {
    ASSERT_GE(all[k].size(), kLeastRows);
    rows += all[k].size();
    for (const Row& row : all[k])
      for (std::size_t a = 0; a < row.size(); ++a) {
        met.insert({a, row[a], axes().size(), k});
        for (std::size_t b = 0; b < a; ++b) met.insert({a, row[a], b, row[b]});
      }
  }
  for (std::size_t a = 0; a < axes().size(); ++a)
    for (std::size_t v = 0; v < axes()[a].values.size(); ++v) {
      const std::string value = axes()[a].name + ": " + axes()[a].values[v].name;
      std::size_t seen = 0;
      for (std::size_t k = 0; k < kernels; ++k) seen += met.count({a, v, axes().size(), k});
      EXPECT_GE(seen, axes()[a].values.size() <= kRowsPerKernel ? kernels / 2 : kernels / 6) << value;
      for (std::size_t b = 0; b < a; ++b)
        for (std::size_t w = 0; w < axes()[b].values.size(); ++w)
          EXPECT_TRUE(met.count({a, v, b, w}))
              << value << " never meets " << axes()[b].name << ": " << axes()[b].values[w].name;
    }
  std::printf("%zu rows of %zu\n", rows, kernels * kRowsPerKernel);
}

TEST(Cover, TheProductHasEveryValueOfEveryAxis) {
  std::set<std::pair<std::size_t, std::size_t>> found;
  const std::vector<Row> rows = all_rows(0);
  for (const Row& row : rows)
    for (std::size_t a = 0; a < row.size(); ++a) found.insert({a, row[a]});
  for (std::size_t a = 0; a < axes().size(); ++a)
    for (std::size_t v = 0; v < axes()[a].values.size(); ++v)
      EXPECT_TRUE(found.count({a, v})) << axes()[a].name << ": " << axes()[a].values[v].name;
}

// The rows of six kernels must contain every part that a random setting may contain, such as register stages,
// compiler passes and schedulers. Analyses may be missing.
TEST(Cover, HasEveryPart) {
  std::set<std::string> found;
  for (const auto& rows : pairwise_rows(6))
    for (const Row& row : rows) found.merge(fuzz::parts_of(parameters_of(row, "launch.json")));
  for (const std::string& part : fuzz::drawable_parts())
    EXPECT_TRUE(found.count(part) || part.starts_with("output.analyses")) << part;
}

TEST(Cover, RunsWithFewRegistersSpill) {
  int spilling = 0;
  for (const std::string& kernel : kernels()) {
    const run::RunParameters parameters = parameters_of(row_of({"fermi-gtx480", "16"}), small_launch(kernel));
    const launch::LaunchFile file = launch::read_launch_file(parameters.launch);
    launch::PtxPrograms parsed(file);
    for (const auto& name : parsed.module()->kernels()) {
      const auto compiled = compiler::compile(*parsed.program(name.mangled), parameters.compiler);
      spilling += std::any_of(compiled.code.begin(), compiled.code.end(),
                              [](const isa::Instruction& i) { return i.overhead && i.is_memory(); });
    }
  }
  EXPECT_GE(spilling, 8);
}

}  // namespace
}  // namespace heddle::kernel_runs
