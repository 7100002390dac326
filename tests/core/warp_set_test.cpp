#include "models/core/warp_set.h"

#include <gtest/gtest.h>

#include <random>
#include <ranges>
#include <set>
#include <vector>

#include "models/core/indexed_vector.h"

namespace heddle {
namespace {

static_assert(std::ranges::forward_range<WarpSet>);
static_assert(sizeof(WarpSet) == sizeof(std::uint64_t), "passed in a register");

TEST(WarpSet, HoldsTheEdgesOfItsRange) {
  WarpSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(set);
  for (const std::uint32_t w : {0u, 31u, 32u, 63u}) {
    EXPECT_FALSE(set.contains(WarpId(w)));
    set.add(WarpId(w));
    EXPECT_TRUE(set.contains(WarpId(w)));
  }
  EXPECT_EQ(set.count(), 4);
  EXPECT_EQ(set, WarpSet(0x8000000180000001));
  EXPECT_EQ(set.after(WarpId(31)).first(), WarpId(32));
  EXPECT_EQ(set.after(WarpId(63)), WarpSet());
  EXPECT_EQ(WarpSet::all().count(), 64);
}

TEST(WarpSet, DoesWhatAnOrderedSetDoes) {
  std::mt19937_64 random(1);
  WarpSet set;
  std::set<std::uint32_t> expected;
  for (int step = 0; step < 2000; ++step) {
    const WarpId warp(static_cast<std::uint32_t>(random() % 64));
    const bool member = random() % 2;
    set.set(warp, member);
    if (member)
      expected.insert(warp.value);
    else
      expected.erase(warp.value);
    std::vector<std::uint32_t> seen;
    for (const WarpId w : set) seen.push_back(w.value);
    ASSERT_TRUE(std::ranges::equal(seen, expected));
    ASSERT_EQ(set.count(), static_cast<int>(expected.size()));
    if (expected.empty()) continue;
    ASSERT_EQ(set.first().value, *expected.begin());
    ASSERT_EQ(set.only_first(), WarpSet::of(set.first()));
    ASSERT_EQ(set.without_first() | set.only_first(), set);
    WarpSet rest = set;
    ASSERT_EQ(rest.pop(), set.first());
    ASSERT_EQ(rest, set.without_first());
  }
}

TEST(WarpSet, ALoopSeesTheSetAsItStoodAtItsBegin) {
  WarpSet set = 0b1011;
  int seen = 0;
  for (const WarpId warp : set) {
    set.remove(warp);
    set.add(WarpId(warp.value + 32));
    ++seen;
  }
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(set, WarpSet(std::uint64_t{0b1011} << 32));
}

enum class Colour { red, green, blue };
template <class Container, class Key>
concept TakesKey = requires(Container c, Key key) {
  c[key];
};
static_assert(TakesKey<IndexedVector<BankId, int>, BankId>);
static_assert(!TakesKey<IndexedVector<BankId, int>, WarpId>, "a bank's place is no warp's");
static_assert(!TakesKey<IndexedVector<BankId, int>, int>);
static_assert(TakesKey<IndexedArray<Colour, int, 3>, Colour>);

TEST(IndexedVector, FindsWhatWasPutUnderAKey) {
  IndexedVector<BankId, int> banks;
  EXPECT_EQ(banks.emplace_back(7), BankId(0));
  EXPECT_EQ(banks.emplace_back(9), BankId(1));
  banks[BankId(0)] += 1;
  EXPECT_EQ(banks[BankId(0)], 8);
  EXPECT_EQ(banks.items(), (std::vector<int>{8, 9}));
  EXPECT_TRUE(banks.contains(BankId(1)));
  EXPECT_FALSE(banks.contains(BankId(2)));
  int sum = 0;
  for (const BankId bank : keys<BankId>(banks.size())) sum += banks[bank];
  EXPECT_EQ(sum, 17);
}

TEST(IndexedArray, HasAPlaceForEveryEnumerator) {
  IndexedArray<Colour, int, 3> counts;
  counts[Colour::blue] = 2;
  EXPECT_EQ(counts[Colour::red], 0);
  EXPECT_EQ(counts[Colour::blue], 2);
  for (const Colour colour : keys<Colour>(counts.size())) counts[colour] = 1;
  EXPECT_EQ(counts, (IndexedArray<Colour, int, 3>{{1, 1, 1}}));
}

}  // namespace
}  // namespace heddle
