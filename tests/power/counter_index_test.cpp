// Which counters a pattern means, and which unit of an SM each belongs to.

#include "power/counter_index.h"

#include <gtest/gtest.h>

#include "tests/power/power_rig.h"

namespace heddle::power {
namespace {

TEST(CounterIndex, FindsCountersAndNamesTheirUnits) {
  PowerRig rig;
  rig.count("sm0.partition0.units.int0.operations", 1).count("sm0.partition0.units.fp0.operations", 1);
  rig.count("sm0.partition1.units.int1.operations", 1).count("sm0.load_store.completed", 1);
  const auto found = find_counters(rig.stats(), "sm*.partition*.units.int*.operations");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].counter, 0u);
  EXPECT_EQ(found[0].unit, "partition0.int0");
  EXPECT_EQ(found[1].counter, 2u);
  EXPECT_EQ(found[1].unit, "partition1.int1");
  EXPECT_EQ(found[1].owner, "sm0.partition1.units.int1");
  EXPECT_EQ(find_counters(rig.stats(), "sm*.load_store.completed").at(0).unit, "");
}

TEST(CounterIndex, EveryUnitHasCyclesOnce) {
  PowerRig rig;
  rig.count("sm0.units.int0.operations", 1).count("sm0.units.int0.busy", 1).count("sm0.units.int1.busy", 1);
  const auto found = find_counters(rig.stats(), "sm*.units.int*.cycles");
  ASSERT_EQ(found.size(), 2u) << "one for each unit, however many counters it has";
  EXPECT_EQ(found[0].counter, kCycles);
  EXPECT_EQ(found[1].unit, "int1");
  // A unit that counts cycles of its own is not given others.
  rig.count("sm0.units.int1.cycles", 5);
  const auto own = find_counters(rig.stats(), "sm*.units.int*.cycles");
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].counter, 3u);
  EXPECT_EQ(own[1].owner, "sm0.units.int0");
}

}  // namespace
}  // namespace heddle::power
