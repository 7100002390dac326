// Tests the RTL of register file virtualization (Jeon 2015): free lists, renaming table, release flag cache
// and the throttle's balances. The RTL runs in lockstep with the model, or in place of the model. Further
// tests drive flag cache and balances without a GPU, in states that no kernel reaches.

#include <gtest/gtest.h>

#include "models/stages/renaming_points.h"
#include "tests/cosim/renaming_blocks.h"

namespace heddle::cosim {
namespace {

void expect_clean(const std::string& kernel, int entries) {
  SCOPED_TRACE(kernel);
  const std::vector<std::string> sets = renaming_parts(entries);
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run_beside(kernel, "fermi-virtualization", R"("none")", "lockstep", sets));
  for (const char* blocks :
       {"banks under renaming", "renaming tables", "release flag caches", "balances of CTAs"})
    EXPECT_NE(lockstep.notes[0].find(blocks), std::string::npos) << blocks << " in " << lockstep.notes[0];
  const RunOutcome model = run_beside(kernel, "fermi-virtualization", R"("none")", "off", sets);
  EXPECT_EQ(lockstep.counters, model.counters);
  EXPECT_EQ(run_beside(kernel, "fermi-virtualization", R"("none")", "drive", sets).counters, model.counters);
}

TEST(RenamingBlocks, OfTheWholeFile) { expect_clean("nw", 256); }
TEST(RenamingBlocks, OfHalfTheFile) { expect_clean("hotspot", 128); }

TEST(RenamingBlocks, FlagCacheAlone) {
  for (const std::size_t entries : {2u, 10u})
    for (const Mode mode : {Mode::lockstep, Mode::drive})
      EXPECT_EQ(drive_flag_cache(entries, &mode), drive_flag_cache(entries, nullptr));
}

TEST(RenamingBlocks, BalancesAlone) {
  for (const int pools : {2, 4})
    for (const Mode mode : {Mode::lockstep, Mode::drive}) {
      const std::vector<int> answers = drive_balance(pools, &mode);
      EXPECT_EQ(answers, drive_balance(pools, nullptr));
      EXPECT_GT(std::count(answers.begin(), answers.end(), 3), 0);
    }
}

TEST(RenamingBlocks, BalancesOfLargeBanks) {
  for (const int entries : {1023, 1024, 65536})
    for (const Mode mode : {Mode::lockstep, Mode::drive})
      EXPECT_EQ(drive_balance(2, &mode, entries), drive_balance(2, nullptr, entries)) << entries;
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run_beside("vector_add", "fermi-virtualization", R"("none")", "lockstep",
                                        renaming_parts(1024)));
  EXPECT_NE(lockstep.notes[0].find("balances of CTAs"), std::string::npos) << lockstep.notes[0];
}

TEST(RenamingBlocks, SayWhatTheyDoNotDo) {
  const AllocatorPoint::Owner in_turn{256, 4, false}, odd{153, 4, true};
  const TablePoint::Owner many{64, 256, 4};
  Probe<AllocatorPoint> turn(in_turn), size(odd);
  Probe<TablePoint> table(many);
  EXPECT_EQ(reason_against(turn), "there is no RTL of entries given in turn");
  EXPECT_NE(reason_against(size), "");
  EXPECT_EQ(reason_against(table), "the RTL has rows for 48 warps");
}

}  // namespace
}  // namespace heddle::cosim
