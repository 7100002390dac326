// Blocks with one fault each: lockstep stops the run, and says where and what.

#include <gtest/gtest.h>

#include "testbench/cosim/rtl_model.h"
#include "tests/cosim/cosim_run.h"
#include "tests/cosim/toys/toys.h"

namespace heddle::cosim {
namespace {

/// A fault of a block.
struct Mutant {
  std::string name, module;
  friend void PrintTo(const Mutant& m, std::ostream* out) { *out << m.name; }
};

std::vector<Mutant> mutants() {
  std::vector<Mutant> all;
  for (const RtlModelEntry& entry : RtlModels::instance().entries())
    if (!entry.mutant.empty()) all.push_back({entry.mutant, entry.module});
  return all;
}

std::string error_of_run(const std::string& module) {
  try {
    if (module == "byte_swap" || module == "lane_add") {
      run_with_toys("lockstep");
      return "";
    }
    if (module != "gating_unit" && module != "gates_unit") {
      run_beside("mandelbrot", "fermi-gtx480", R"({"type":"eager"})", "lockstep", kOrigami);
      return "";
    }
    run_beside("bfs", "fermi-gtx480", R"({"type":"adaptive","epoch_cycles":100,"threshold":0})", "lockstep",
               {kGatesDualIssue, "gpu.sm.schedulers_per_partition=1", "gpu.sm.issue_width=2"});
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaughtWithinARun) {
  ASSERT_EQ(error_of_run(GetParam().module), "");
  RtlModels::instance().prefer(GetParam().name);
  const std::string error = error_of_run(GetParam().module);
  ASSERT_NE(error, "") << "the fault went unnoticed";
  RecordProperty("error", error);
  EXPECT_EQ(error.substr(0, 4), "sm0.") << "the instance";
  for (const char* part : {": co-simulation: cycle ", " in the model and ", " in the RTL"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(, Mutants, testing::ValuesIn(mutants()),
                         [](const auto& instance) { return instance.param.name; });

TEST(MutantList, HoldsTheNineOfWarpedGatesAndSevenOfOrigamiAndOneOfEachToy) {
  std::vector<std::string> names;
  for (const Mutant& mutant : mutants()) names.push_back(mutant.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"short_break_even", "long_break_even", "missed_wake_up", "wrong_reset",
                                      "missing_reset", "late_idle_detect", "eager_epoch", "gates_wrong_reset",
                                      "gates_leak", "fold_avoided_never", "shift_crossed", "reshift_none",
                                      "fold_busy_off_by_one", "fold_window_off_by_one", "groups_late_turn",
                                      "groups_leak", "byte_swap_fault", "lane_add_fault"}));
}

}  // namespace
}  // namespace heddle::cosim
