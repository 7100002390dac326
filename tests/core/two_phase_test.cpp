// Tests types that delay a change to the next cycle (inboxes, credits, sets, marks). A change must become
// visible in the next cycle, independent of module order.

#include <gtest/gtest.h>

#include <vector>

#include "models/core/cycle_credit.h"
#include "models/core/cycle_inbox.h"
#include "models/core/cycle_room.h"
#include "models/core/cycle_set.h"

namespace heddle {
namespace {

TEST(CycleRoom, PlacesThatBecomeFreeCanBeTakenInTheNextCycle) {
  CycleRoom room(2);
  room.take();
  room.take();
  EXPECT_TRUE(room.full());
  room.give(5);
  EXPECT_FALSE(room.full());
  EXPECT_FALSE(room.any(5));
  EXPECT_EQ(room.free(5), 0u);
  room.give(5);
  EXPECT_EQ(room.free(5), 0u) << "two of one cycle";
  EXPECT_EQ(room.free(6), 2u);
  room.take();
  EXPECT_EQ(room.free(5), 0u);
  EXPECT_EQ(room.free(6), 1u);
  room.give(8);
  EXPECT_EQ(room.free(8), 1u) << "the one of an earlier cycle counts";
  room.reset();
  EXPECT_EQ(room.free(8), 2u) << "all at once";
}

std::vector<int> taken(CycleInbox<int>& inbox, Cycle now) {
  std::vector<int> items;
  inbox.take(now, [&](int item) { items.push_back(item); });
  return items;
}

TEST(CycleInbox, WhatIsPutShowsInTheNextCycleInOrder) {
  CycleInbox<int> inbox;
  inbox.put(3, 1);
  inbox.put(3, 2);
  EXPECT_FALSE(inbox.any(3));
  EXPECT_FALSE(inbox.empty());
  EXPECT_EQ(taken(inbox, 3), std::vector<int>{});
  inbox.put(4, 3);
  EXPECT_TRUE(inbox.any(4));
  EXPECT_EQ(taken(inbox, 4), (std::vector<int>{1, 2}));
  EXPECT_FALSE(inbox.any(4)) << "what came in this cycle stays";
  EXPECT_EQ(taken(inbox, 9), std::vector<int>{3});
  EXPECT_TRUE(inbox.empty());
}

// The consumer must receive an item one cycle after the producer has put the item. This must hold whichever
// of the two modules runs first, and even if the consumer frees space in the same cycle.
TEST(CycleInbox, DoesNotShowWhoRanFirst) {
  for (const bool producer_first : {true, false}) {
    CycleInbox<int> inbox;
    int next = 0, expected = 0;
    for (Cycle now = 1; now < 300; ++now) {
      const int end = next;
      const int count = static_cast<int>(now % 5);
      for (int i = 0; producer_first && i < count; ++i) inbox.put(now, next++);
      inbox.take(now, [&](int item) { EXPECT_EQ(item, expected++); });
      EXPECT_EQ(expected, end) << now;
      for (int i = 0; !producer_first && i < count; ++i) inbox.put(now, next++);
    }
  }
}

TEST(CycleInbox, WhatItsReaderPutsWhileItTakesComesLater) {
  CycleInbox<int> inbox;
  inbox.put(1, 1);
  std::vector<int> items;
  inbox.take(2, [&](int item) {
    items.push_back(item);
    for (int i = 0; i < 40; ++i) inbox.put(2, 10 + i);
  });
  EXPECT_EQ(items, std::vector<int>{1});
  EXPECT_EQ(taken(inbox, 3).size(), 40u);
}

TEST(CycleInbox, TakesUpToOneThatStaysAndForgetsWhatIsAskedFor) {
  CycleInbox<int> inbox;
  for (int i = 0; i < 6; ++i) inbox.put(1, i);
  inbox.put(2, 2);
  int left = 2;
  inbox.take_while(2, [&](int) { return left-- > 0; });
  inbox.erase_if(2, [](int item) { return item % 2 == 0; });
  EXPECT_EQ(taken(inbox, 2), (std::vector<int>{3, 5}));
  EXPECT_EQ(taken(inbox, 3), std::vector<int>{2}) << "of the same cycle: not forgotten";
  inbox.put(3, 7);
  inbox.erase_if(4, [](int) { return true; });
  EXPECT_TRUE(inbox.empty());
}

TEST(CycleCredit, GoesOnInTheCycleAfterASignOfALaterCycle) {
  CycleCredit credit;
  EXPECT_TRUE(credit.may_send(1));
  credit.refused(1);
  credit.retried(1);
  EXPECT_FALSE(credit.may_send(9)) << "room and refusal of one cycle: their order must not show";
  credit.retried(4);
  EXPECT_FALSE(credit.may_send(4));
  EXPECT_TRUE(credit.may_send(5));
}

TEST(CycleRefusals, ThoseOfThisCycleAreNotAskedAgain) {
  CycleRefusals refusals;
  EXPECT_FALSE(refusals.any());
  refusals.note(3);
  EXPECT_TRUE(refusals.any_in(3));
  EXPECT_FALSE(refusals.any_before(3));
  EXPECT_TRUE(refusals.any_before(4));
  refusals.note(5);
  refusals.requested_again(5);
  EXPECT_TRUE(refusals.any());
  EXPECT_FALSE(refusals.any_before(5));
  refusals.requested_again(6);
  EXPECT_FALSE(refusals.any());
}

TEST(CycleSet, MembersShowInTheNextCycle) {
  CycleSet set;
  set.add(3, WarpId(1));
  EXPECT_FALSE(set.contains(3, WarpId(1)));
  EXPECT_TRUE(set.contains(4, WarpId(1)));
  set.add(4, WarpId(2));
  EXPECT_TRUE(set.contains(4, WarpId(1)));
  EXPECT_FALSE(set.contains(4, WarpId(2)));
  set.remove(WarpId(1));
  set.remove(WarpId(2));
  EXPECT_FALSE(set.contains(5, WarpId(1)));
  EXPECT_FALSE(set.contains(5, WarpId(2)));
  set.put(WarpId(7));
  EXPECT_TRUE(set.contains(5, WarpId(7)));
  EXPECT_TRUE(CycleSet(WarpSet::all()).contains(0, WarpId(63)));
}

TEST(CycleFlag, IsSeenInTheCycleAfterItsFirstRaise) {
  CycleFlag flag;
  EXPECT_FALSE(flag.raised());
  EXPECT_FALSE(flag.seen(100));
  flag.raise(3);
  flag.raise(7);
  EXPECT_TRUE(flag.raised());
  EXPECT_FALSE(flag.seen(3));
  EXPECT_TRUE(flag.seen(4));
  flag.lower();
  EXPECT_FALSE(flag.seen(8));
}

TEST(CycleSignal, LatelyIsThisCycleAndTheLast) {
  CycleSignal signal;
  EXPECT_FALSE(signal.lately(1));
  signal.give(5);
  EXPECT_TRUE(signal.lately(5));
  EXPECT_TRUE(signal.lately(6));
  EXPECT_FALSE(signal.lately(7));
  EXPECT_TRUE(signal.in(5));
  EXPECT_FALSE(signal.in(6));
}

TEST(InCycle, IsNothingAgainInTheNext) {
  InCycle<int> words;
  EXPECT_EQ(words.get(0), 0);
  ++words.in(4);
  ++words.in(4);
  EXPECT_EQ(words.get(4), 2);
  EXPECT_EQ(words.get(5), 0);
  EXPECT_EQ(++words.in(5), 1);
}

}  // namespace
}  // namespace heddle
