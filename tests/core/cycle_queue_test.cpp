// Tests the queue between clocked modules. An item must become visible in the cycle after it was put,
// independent of module order.

#include <gtest/gtest.h>

#include "models/core/cycle_queue.h"

namespace heddle {
namespace {

TEST(CycleQueue, PushedItemsShowInTheNextCycle) {
  CycleQueue<int> queue(2);
  queue.push(10, 1);
  EXPECT_FALSE(queue.can_pop(10));
  EXPECT_FALSE(queue.can_see(10, 0));
  EXPECT_TRUE(queue.can_pop(11));
  EXPECT_EQ(queue.pop(11), 1);
  EXPECT_TRUE(queue.empty());
}

TEST(CycleQueue, FreedSpaceShowsInTheNextCycle) {
  CycleQueue<int> queue(1);
  queue.push(1, 1);
  EXPECT_FALSE(queue.can_push(1));
  queue.pop(2);
  EXPECT_FALSE(queue.can_push(2)) << "the consumer ran first";
  EXPECT_TRUE(queue.can_push(3));
  EXPECT_THROW(queue.push(2, 2), InternalError);
}

TEST(CycleQueue, TwoEntriesRunAtFullRate) {
  CycleQueue<int> queue(2);
  int popped = 0;
  for (Cycle now = 0; now < 10; ++now) {
    if (queue.can_pop(now)) popped += queue.pop(now) >= 0;
    if (queue.can_push(now)) queue.push(now, 1);
  }
  EXPECT_EQ(popped, 9);
}

TEST(CycleQueue, OneEntryRunsAtHalfRateWhateverTheOrder) {
  for (const bool consumer_first : {true, false}) {
    CycleQueue<int> queue(1);
    int popped = 0;
    for (Cycle now = 0; now < 10; ++now)
      for (const bool consume : {consumer_first, !consumer_first}) {
        if (consume && queue.can_pop(now)) popped += queue.pop(now) >= 0;
        if (!consume && queue.can_push(now)) queue.push(now, 1);
      }
    EXPECT_EQ(popped, 5) << consumer_first;
  }
}

TEST(CycleQueue, KeepsOrderOverTheEndOfItsRing) {
  CycleQueue<int> queue(3);
  int next_in = 0, next_out = 0;
  for (Cycle now = 0; now < 50; ++now) {
    if (queue.can_push(now)) queue.push(now, next_in++);
    if (now % 3 && queue.can_pop(now)) {
      EXPECT_EQ(queue.pop(now), next_out);
      ++next_out;
    }
    for (std::size_t i = 0; i < queue.size(); ++i) EXPECT_EQ(queue.peek(i), next_out + static_cast<int>(i));
  }
  EXPECT_GT(next_out, 30);
}

TEST(CycleQueue, ResetEmptiesAndFreesAtOnce) {
  CycleQueue<int> queue(1);
  queue.push(4, 1);
  queue.reset();
  EXPECT_TRUE(queue.can_push(4));
  EXPECT_FALSE(queue.can_pop(5));
}

}  // namespace
}  // namespace heddle
