// The index must find the counters that match a pattern. For each counter, it must also find the SM's unit to
// which the counter belongs.

#include "power/counter_index.h"

#include <gtest/gtest.h>

#include "tests/power/power_rig.h"

namespace heddle::power {
namespace {

struct Found {
  std::size_t counter;
  std::string unit, owner;
};

std::vector<Found> find(const StatsRegistry& registry, const std::string& pattern) {
  const CounterIndex index(registry);
  std::vector<Found> all;
  for (const CounterMatch& match : index.find(pattern)) {
    const CounterGroup& group = index.groups()[match.group];
    for (std::size_t i = 0; i < match.counters.size(); ++i)
      all.push_back({match.counters[i], group.unit, group.owner});
  }
  return all;
}

TEST(CounterIndex, FindsCountersAndNamesTheirUnits) {
  PowerRig rig;
  rig.count("sm0.partition0.units.int0.operations", 1).count("sm0.partition0.units.fp0.operations", 1);
  rig.count("sm0.partition1.units.int1.operations", 1).count("sm0.load_store.completed", 1);
  const auto found = find(rig.stats(), "sm*.partition*.units.int*.operations");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].counter, 0u);
  EXPECT_EQ(found[0].unit, "partition0.int0");
  EXPECT_EQ(found[1].counter, 2u);
  EXPECT_EQ(found[1].unit, "partition1.int1");
  EXPECT_EQ(found[1].owner, "sm0.partition1.units.int1");
  EXPECT_EQ(find(rig.stats(), "sm*.load_store.completed").at(0).unit, "");
}

TEST(CounterIndex, EveryUnitHasCyclesOnce) {
  PowerRig rig;
  rig.count("sm0.units.int0.operations", 1).count("sm0.units.int0.busy", 1).count("sm0.units.int1.busy", 1);
  const auto found = find(rig.stats(), "sm*.units.int*.cycles");
  ASSERT_EQ(found.size(), 2u) << "one for each unit, however many counters it has";
  EXPECT_EQ(found[0].counter, kCycles);
  EXPECT_EQ(found[1].unit, "int1");
  // If an execution unit has its own counter of cycles, the index must return this counter, not the counter
  // of another unit.
  rig.count("sm0.units.int1.cycles", 5);
  const auto own = find(rig.stats(), "sm*.units.int*.cycles");
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].counter, 3u);
  EXPECT_EQ(own[1].owner, "sm0.units.int0");
  EXPECT_EQ(own[1].counter, kCycles);
}

TEST(CounterIndex, LooksThemUpForAllSmsAtOnce) {
  PowerRig rig;
  rig.count("sm0.partition0.banks.reads", 1).count("sm1.partition0.banks.reads", 1);
  rig.count("sm0.partition0.banks2.reads", 1).count("sm1.partition0.gating.int0.lanes.on_cycles", 1);
  const CounterIndex index(rig.stats());
  ASSERT_EQ(index.find("sm*.partition*.banks.reads").size(), 1u);
  EXPECT_EQ(index.find("sm*.partition*.banks.reads")[0].counters.size(), 2u);
  EXPECT_EQ(find(rig.stats(), "sm1.partition*.banks.reads").at(0).counter, 1u);
  EXPECT_EQ(find(rig.stats(), "sm*.partition*.banks*.reads").size(), 3u);
  EXPECT_EQ(find(rig.stats(), "sm[1-3].partition*.*.reads").size(), 1u);
  EXPECT_EQ(find(rig.stats(), "sm*.partition*.gating.int*.*.on_cycles").size(), 1u);
  EXPECT_EQ(find(rig.stats(), "sm*.partition*.banks.*").size(), 2u) << "cycles have to be asked for";
  EXPECT_EQ(find(rig.stats(), "**.reads").size(), 3u);
  EXPECT_EQ(find(rig.stats(), "sm*.partition*.banks.cycles").size(), 2u);
}

}  // namespace
}  // namespace heddle::power
