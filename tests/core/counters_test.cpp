// Counters keep their texts as long as the registry lives. SMs with the same counters are found to be alike, and
// SMs that differ in one counter are not.

#include <gtest/gtest.h>

#include <string>

#include "models/core/counter_classes.h"

namespace heddle {
namespace {

TEST(Counters, KeepTextsThatEndBeforeTheRegistry) {
  StatsRegistry registry;
  std::string name = "reads of a bank, a text that is too long for the string itself";
  const std::string copy = name;
  const StatsScope scope(registry, std::string("sm0.") + "banks");
  scope.add(name, "accesses", name.c_str());
  scope.add(name, "accesses", std::string_view(name).substr(0, 5));
  name.assign(name.size(), '?');
  const CounterInfo &first = registry.counters()[0], &second = registry.counters()[1];
  EXPECT_EQ(first.owner, "sm0.banks");
  EXPECT_EQ(first.name, copy);
  EXPECT_EQ(first.doc, copy);
  EXPECT_EQ(second.doc, "reads");
  EXPECT_EQ(first.name.data(), second.name.data()) << "equal texts are kept once";
  EXPECT_EQ(first.full_name(), "sm0.banks." + copy);
}

TEST(Counters, RootsWithTheSameCountersAreAlike) {
  StatsRegistry registry;
  const auto add = [&](const std::string& owner, const std::vector<std::string>& names) {
    for (const std::string& name : names) registry.add(owner, name, "events", "");
  };
  add("sm0.banks", {"reads", "writes"});
  add("sm0.issue", {"issued"});
  add("memory.banks", {"reads", "writes"});
  add("memory.issue", {"issued"});
  add("sm1.banks", {"reads", "writes"});
  add("sm2.banks", {"writes", "reads"});
  add("sm2.issue", {"issued"});
  add("sm1.issue", {"issued"});
  add("sm3.banks", {"reads", "writes"});
  add("sm3.units", {"issued"});
  const std::vector<CounterRoot> roots = counter_roots(registry);
  ASSERT_EQ(roots.size(), 5u);
  EXPECT_EQ(roots[0].name, "sm0");
  EXPECT_EQ(roots[2].name, "sm1");
  EXPECT_EQ(roots[2].counters, (std::vector<std::size_t>{6, 7, 11}));
  EXPECT_EQ(roots[0].like, 0u);
  EXPECT_EQ(roots[1].like, 1u) << "memory is no SM";
  EXPECT_EQ(roots[2].like, 0u);
  EXPECT_EQ(roots[3].like, 3u) << "sm2 has another order";
  EXPECT_EQ(roots[4].like, 4u) << "sm3 has another unit";
}

TEST(Counters, ClassesHaveTheCountersOfAllUnits) {
  StatsRegistry registry;
  for (const char* owner : {"sm0.partition0.banks", "sm0.partition1.banks", "sm1.partition0.banks"})
    registry.add(owner, "reads", "accesses", "");
  registry.add("memory", "lanes_16", "lanes", "");
  const CounterClasses classes(registry);
  ASSERT_EQ(classes.all().size(), 2u);
  EXPECT_EQ(classes.all()[0].name, "memory.lanes_16");
  EXPECT_EQ(classes.all()[1].name, "sm.partition.banks.reads");
  EXPECT_EQ(classes.all()[1].counters, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(classes.position("sm.partition.banks.reads"), 1u);
  EXPECT_EQ(classes.position("sm.partition.banks"), 2u);
}

}  // namespace
}  // namespace heddle
