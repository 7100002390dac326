// Each mutant is an RTL block with one deliberate fault. The lockstep comparison must stop the run at the
// first difference, and the error must name the block and the difference.

#include <gtest/gtest.h>

#include <map>

#include "testbench/cosim/rtl_model.h"
#include "tests/cosim/cosim_run.h"
#include "tests/cosim/guest_parts.h"
#include "tests/cosim/register_parts.h"
#include "tests/cosim/renaming_blocks.h"
#include "tests/cosim/storage_parts.h"
#include "tests/cosim/toys/toys.h"

namespace heddle::cosim {
namespace {

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

enum class Beside {
  gating,
  lanes,
  rows,
  rows_indexed,
  widths,
  byte_masks,
  storage,
  renaming,
  balances,
  core,
  scoreboards,
  deltas,
  window,
  intervals,
  toys
};

Beside beside(const std::string& module) {
  if (module == "gating_unit" || module == "gates_unit") return Beside::gating;
  if (module.starts_with("fold_") || module.starts_with("quad_") || module == "origami_groups" ||
      module == "lane_gates")
    return Beside::lanes;
  if (module == "byte_swap" || module == "lane_add") return Beside::toys;
  if (module == "swapping_index") return Beside::rows_indexed;
  if (module == "register_balance") return Beside::balances;
  for (const char* renaming : {"register_allocator", "renaming_table", "release_flag_cache"})
    if (module == renaming) return Beside::renaming;
  if (module == "stall_count" || module == "dependence_counters") return Beside::core;
  if (module == "consumer_scoreboard") return Beside::scoreboards;
  if (module == "cache_set" || module == "storage_slots") return Beside::storage;
  if (module.starts_with("delta_")) return Beside::deltas;
  if (module == "window_match") return Beside::window;
  if (module == "interval_moves") return Beside::intervals;
  if (module.starts_with("byte_mask_")) return Beside::byte_masks;
  for (const char* rows :
       {"tric_row", "tric_states", "coma_masks", "swapping_cam", "pilot_counters", "frf_mode"})
    if (module == rows) return Beside::rows;
  return Beside::widths;
}

void run_with_sub_banks() {
  const std::string file = "gpu.sm.register_file.";
  run_beside("bfs", "fermi-cmrc", R"("none")", "lockstep",
             {file + "banks.format=sub-banked", file + "banks.arbiter=coalescing",
              file + "collector_port=sliced", "gpu.sms=1"});
}

std::string error_of_run(Beside what) {
  try {
    if (what == Beside::toys) {
      run_with_toys("lockstep");
      return "";
    }
    if (what == Beside::lanes) {
      run_beside("bfs", "fermi-gtx480", R"({"type":"eager"})", "lockstep", kOrigami);
      return "";
    }
    if (what == Beside::rows || what == Beside::rows_indexed) {
      run_beside("bfs", "fermi-gtx480", R"("none")", "lockstep",
                 register_parts(what == Beside::rows_indexed ? "indexed" : "cam"));
      return "";
    }
    if (what == Beside::renaming) {
      run_beside("hotspot", "fermi-virtualization", R"("none")", "lockstep", renaming_parts(128));
      return "";
    }
    if (what == Beside::balances) {  // with the layout wid, both registers of a pair lie in one bank
      std::vector<std::string> sets = renaming_parts(96);
      sets.push_back("gpu.sm.register_file.banks.layout=wid");
      run_beside("bfs", "fermi-virtualization", R"("none")", "lockstep", sets);
      return "";
    }
    if (what == Beside::core || what == Beside::scoreboards) {
      std::vector<std::string> sets{"gpu.sm.max_warps=8"};
      if (what == Beside::scoreboards) sets.push_back(core_scoreboard("1"));
      run_beside("half_gemm", "ampere-a6000", R"("none")", "lockstep", sets);
      return "";
    }
    if (what == Beside::storage) {
      for (const auto& parts : {hybrid_parts(), private_cache_parts()})
        run_beside("bfs", "fermi-gtx480", R"("none")", "lockstep", parts);
      return "";
    }
    if (what == Beside::deltas || what == Beside::window || what == Beside::intervals) {
      const auto& parts = what == Beside::deltas   ? delta_parts(8)
                          : what == Beside::window ? window_parts(6)
                                                   : interval_parts();
      run_beside("bfs", "fermi-gtx480", R"("none")", "lockstep", parts);
      return "";
    }
    if (what == Beside::byte_masks) {
      run_beside("bfs", "fermi-cmrc", R"("none")", "lockstep", kByteMasks);
      return "";
    }
    if (what == Beside::widths) {
      run_with_sub_banks();
      return "";
    }
    std::vector<std::string> sets{kGatesDualIssue, "gpu.sm.schedulers_per_partition=1",
                                  "gpu.sm.issue_width=2"};
    for (const char* wake_on : {"demand", "issue"}) {
      for (const char* unit : {"int", "fp"})
        sets.push_back(fmt::format("gpu.sm.gating.{}.wake_on=\"{}\"", unit, wake_on));
      run_beside("bfs", "fermi-gtx480", R"({"type":"adaptive","epoch_cycles":100,"threshold":0})", "lockstep",
                 sets);
    }
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// modules of the mutants, one for each run that mutants share
std::vector<std::string> modules_of_runs() {
  std::map<Beside, std::string> modules;
  for (const Mutant& mutant : mutants()) modules.emplace(beside(mutant.module), mutant.module);
  std::vector<std::string> all;
  for (const auto& [run, module] : modules) all.push_back(module);
  return all;
}

// Without a mutant, each of these runs must end without a difference. Otherwise a difference in a mutant's run
// would not show that the mutant's fault was found.
class RunsOfMutants : public testing::TestWithParam<std::string> {};

TEST_P(RunsOfMutants, AreCleanWithoutAFault) { EXPECT_EQ(error_of_run(beside(GetParam())), ""); }

INSTANTIATE_TEST_SUITE_P(, RunsOfMutants, testing::ValuesIn(modules_of_runs()),
                         [](const auto& instance) { return instance.param; });

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaughtWithinARun) {
  RtlModels::instance().prefer(GetParam().name);
  const std::string error = error_of_run(beside(GetParam().module));
  ASSERT_NE(error, "") << "the fault went unnoticed";
  RecordProperty("error", error);
  EXPECT_EQ(error.substr(0, 4), "sm0.") << "the instance";
  for (const char* part : {": co-simulation: cycle ", " in the model and ", " in the RTL"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(, Mutants, testing::ValuesIn(mutants()),
                         [](const auto& instance) { return instance.param.name; });

TEST(MutantList, HoldsThoseOfEveryBlockAndOneOfEachToy) {
  std::vector<std::string> names;
  for (const Mutant& mutant : mutants()) names.push_back(mutant.name);
  EXPECT_EQ(names, (std::vector<std::string>{"short_break_even",
                                             "long_break_even",
                                             "missed_wake_up",
                                             "wrong_reset",
                                             "missing_reset",
                                             "late_idle_detect",
                                             "eager_epoch",
                                             "called_ignored",
                                             "gates_wrong_reset",
                                             "gates_leak",
                                             "fold_avoided_never",
                                             "shift_crossed",
                                             "reshift_none",
                                             "fold_busy_off_by_one",
                                             "fold_window_off_by_one",
                                             "groups_late_turn",
                                             "groups_leak",
                                             "lane_awake_early",
                                             "lane_asleep_late",
                                             "lanes_ignored",
                                             "or_and_nand_swapped",
                                             "byte_off_by_one",
                                             "fill_stuck",
                                             "parity_inverted",
                                             "left_mask_wrong",
                                             "overlap_allowed",
                                             "late_drowsy",
                                             "wrong_collector",
                                             "one_way_swap",
                                             "one_way_index",
                                             "later_of_equals",
                                             "eager_low",
                                             "entry_asleep",
                                             "reserved_given",
                                             "entry_lost",
                                             "short_subarray",
                                             "rows_overlap",
                                             "mapping_stays",
                                             "no_tag",
                                             "kernel_kept",
                                             "enough_is_plenty",
                                             "last_of_equals",
                                             "own_demand",
                                             "tag_ignored",
                                             "written_is_clean",
                                             "lanes_stay_valid",
                                             "uses_do_not_count",
                                             "taken_before_free",
                                             "part_never_free",
                                             "highest_part",
                                             "byte_of_ones_stored",
                                             "bytes_filled_with_zeros",
                                             "on_at_once",
                                             "rows_share_uses",
                                             "second_use_lost",
                                             "stall_one_longer",
                                             "yield_lost",
                                             "held_cycle_counted",
                                             "read_raise_lost",
                                             "falls_of_the_first",
                                             "last_counter_ignored",
                                             "write_stays",
                                             "no_bypass",
                                             "readers_unlimited",
                                             "war_ignored",
                                             "code_of_128",
                                             "base_of_lane_0",
                                             "differences_too_low",
                                             "sub_bank_missing",
                                             "byte_unsigned",
                                             "base_not_carried",
                                             "window_age_late",
                                             "reads_do_not_extend",
                                             "partial_hit",
                                             "last_leaves_first",
                                             "equals_unordered",
                                             "hint_ignored",
                                             "window_outlives_warp",
                                             "dead_written_back",
                                             "held_moves_again",
                                             "last_register_first",
                                             "byte_swap_fault",
                                             "lane_add_fault"}));
}

}  // namespace
}  // namespace heddle::cosim
