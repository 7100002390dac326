// Tests sums of a counter over units of the same kind, such as the banks of all SMs. They must not depend on
// the order of the counters in each unit.

#include "testbench/output/counter_view.h"

#include <gtest/gtest.h>

namespace heddle::output {
namespace {

TEST(CounterView, SumsLikeUnitsInAnyOrderOfTheirCounters) {
  StatsRegistry stats;
  const auto unit = [&](const std::string& owner, const std::vector<std::string>& names) {
    const StatsScope scope(stats, owner);
    for (const std::string& name : names) scope.add(name, "events", "");
  };
  unit("sm0.banks", {"reads", "writes"});
  // SM 1 has the same counters as SM 0, in another order, and one more counter.
  unit("sm1.banks", {"writes", "reads", "waits"});
  unit("sm0.issue", {"reads"});  // another unit has a counter with the same name
  unit("sm2.banks", {"reads", "writes", "waits"});
  unit("sm1.banks", {"late"});  // a unit that already exists registers a further counter
  const CounterView view(stats, {1, 10, 20, 2, 100, 1000, 4, 40, 200, 7});
  EXPECT_EQ(view.sum("sm.banks.reads"), 7u);
  EXPECT_EQ(view.sum("sm.banks.writes"), 70u);
  EXPECT_EQ(view.sum("sm.banks.waits"), 300u);
  EXPECT_EQ(view.sum("sm.issue.reads"), 1000u);
  EXPECT_EQ(view.sum("sm.banks.late"), 7u);
  EXPECT_EQ(view.counters("sm.banks.reads"), (std::vector<std::size_t>{0, 3, 6}));
  EXPECT_EQ(view.units("sm.banks.waits"), 2u);
  EXPECT_EQ(view.classes().size(), 5u);
}

}  // namespace
}  // namespace heddle::output
