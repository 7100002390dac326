// Tests the balances (registers that a CTA still needs) by which the register throttle decides (Jeon 2015,
// 8.1). The tests check worked examples. They also compare the throttle's decisions with an exhaustive search
// of the orders in which CTAs of a small register file can end.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/scheduler/constraints/register_balance.h"

namespace heddle {
namespace {

using Pools = std::vector<int>;

struct State {
  Pools free, whole;
  std::vector<Pools> charged;  ///< number of entries that each CTA has claimed
  RegisterBalance balance() const {
    RegisterBalance b;
    b.begin(free, whole);
    for (std::size_t c = 0; c < charged.size(); ++c) b.add(static_cast<int>(c), charged[c]);
    return b;
  }
};

State one_pool(int entries, int whole, const Pools& charged) {
  State s{{entries}, {whole}, {}};
  for (const int k : charged) {
    s.charged.push_back({k});
    s.free[0] -= k;
  }
  return s;
}

// A single bank has 17 registers; each CTA needs 8. The throttle's rule, which compares bank by bank, then
// equals the condition that Jeon 2015 (8.1) prints, which compares sums over all banks.
TEST(RegisterBalance, OfOnePoolIsThePrintedTest) {
  const State tight = one_pool(17, 8, {6, 5, 4});
  EXPECT_EQ(tight.free[0], 2);
  EXPECT_FALSE(tight.balance().has_headroom());
  EXPECT_EQ(tight.balance().safe_cta(), 0);

  const State empty = one_pool(17, 8, {8, 5, 4});
  EXPECT_FALSE(empty.balance().has_headroom());
  EXPECT_EQ(empty.balance().safe_cta(), 0);

  const State edge = one_pool(17, 8, {5, 5, 4});
  EXPECT_EQ(edge.free[0], 3);
  // no CTA has headroom: 3 entries are free, not more than the smallest balance (number of entries that a CTA
  // may still claim), which is 3
  EXPECT_FALSE(edge.balance().has_headroom());
  EXPECT_EQ(edge.balance().safe_cta(), 0);
}

TEST(RegisterBalance, SeesWhatWasTakenInTheSameCycle) {
  State s = one_pool(17, 8, {4, 5, 4});
  EXPECT_EQ(s.free[0], 4);
  ASSERT_TRUE(s.balance().has_headroom());
  EXPECT_TRUE(s.balance().may_take(0, Pools{1}));
  --s.free[0];
  ++s.charged[0][0];
  // CTA 2 must not get a register: then 2 registers would be free, but each CTA would need 3 more
  EXPECT_FALSE(s.balance().may_take(2, Pools{1}));
}

// Two banks of three registers; each CTA needs two registers of each bank. CTA 0 and CTA 1 have one register
// of bank 0 each. CTA 2 must not get the last register of bank 0.
TEST(RegisterBalance, LooksAtEveryBank) {
  const State s{{1, 3}, {2, 2}, {{1, 0}, {1, 0}, {0, 0}}};
  EXPECT_FALSE(s.balance().may_take(2, Pools{1, 0}));
  EXPECT_TRUE(s.balance().may_take(0, Pools{1, 0}));
  EXPECT_TRUE(s.balance().may_take(2, Pools{0, 1}));
  // The condition of Jeon 2015 would give CTA 2 this register, because it compares sums over both banks: 4
  // registers are free, and a CTA needs 3.
  EXPECT_TRUE(s.balance().scalar_has_headroom());

  // If CTA 2 had the last register of bank 0, no CTA could end.
  const State stuck{{0, 3}, {2, 2}, {{1, 0}, {1, 0}, {1, 0}}};
  EXPECT_EQ(stuck.balance().safe_cta(), -1);
  EXPECT_FALSE(stuck.balance().scalar_has_headroom());
}

// A bank has 7 registers. Each CTA has two warps of three registers, so it may need 6. A warp of CTA 0 has
// ended, but its registers still count in these 6.
TEST(RegisterBalance, CountsEndedWarpsUntilTheirCtaEnds) {
  EXPECT_EQ(one_pool(7, 6, {1, 2, 2}).balance().safe_cta(),
            // The CTAs need 5, 4 and 4 more registers. Only 2 are free, so no CTA can end.
            -1);
  // If only live warps counted, CTA 0 would need 2 of the 2 free registers and seem safe. After the end of
  // CTA 0, the other CTAs would need 4 registers, but only 3 would be free.
  State after = one_pool(7, 6, {2, 2});
  EXPECT_EQ(after.free[0], 3);
  EXPECT_EQ(after.balance().safe_cta(), -1);
}

bool can_all_end(const State& s, std::vector<bool> ended, Pools free) {
  if (std::all_of(ended.begin(), ended.end(), [](bool e) { return e; })) return true;
  for (std::size_t c = 0; c < s.charged.size(); ++c) {
    if (ended[c]) continue;
    bool fits = true;
    Pools then = free;
    for (std::size_t p = 0; p < free.size(); ++p) {
      fits = fits && s.whole[p] - s.charged[c][p] <= free[p];
      then[p] += s.charged[c][p];
    }
    if (!fits) continue;
    ended[c] = true;
    if (can_all_end(s, ended, then)) return true;
    ended[c] = false;
  }
  return false;
}

// Makes random allocations, releases, ends and arrivals under the throttle's rule. From every state, all CTAs
// must be able to end in some order, even if each CTA takes all registers that this CTA may need. The rule
// must grant an allocation if, and only if, such an order exists after the allocation.
TEST(RegisterBalance, NeverLeavesWhatAnExhaustiveSearchFindsSafe) {
  std::mt19937 random(7);
  int taken = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t pools = 1 + random() % 2;
    State s;
    for (std::size_t p = 0; p < pools; ++p) {
      s.whole.push_back(1 + static_cast<int>(random() % 3));
      s.free.push_back(s.whole[p] + static_cast<int>(random() % 4));
    }
    s.charged.assign(2 + random() % 3, Pools(pools, 0));
    for (int step = 0; step < 60; ++step) {
      const std::size_t c = random() % s.charged.size(), p = random() % pools;
      Pools demand(pools, 0);
      demand[p] = 1;
      if (random() % 3 == 0) demand[random() % pools] += random() % 2 ? 1 : 0;
      // possible: the CTA's registers stay within C, the largest number that it may need, and the entries are
      // free
      bool possible = true;
      for (std::size_t q = 0; q < pools; ++q)
        possible = possible && s.charged[c][q] + demand[q] <= s.whole[q] && demand[q] <= s.free[q];
      if (random() % 4 == 0) {
        const bool all = random() % 4 == 0;
        for (std::size_t q = 0; q < pools; ++q) {
          const int back = all ? s.charged[c][q] : std::min(s.charged[c][q], demand[q]);
          s.charged[c][q] -= back;
          s.free[q] += back;
        }
      } else if (possible) {
        State next = s;
        for (std::size_t q = 0; q < pools; ++q) {
          next.charged[c][q] += demand[q];
          next.free[q] -= demand[q];
        }
        const bool safe = can_all_end(next, std::vector<bool>(next.charged.size(), false), next.free);
        EXPECT_EQ(s.balance().may_take(static_cast<int>(c), demand), safe);
        if (safe) s = next;
        ++(safe ? taken : refused);
      }
      ASSERT_TRUE(can_all_end(s, std::vector<bool>(s.charged.size(), false), s.free));
      ASSERT_GE(s.balance().safe_cta(), 0);
    }
  }
  EXPECT_GT(taken, 1000);
  EXPECT_GT(refused, 100);
}

// With two banks, the condition that Jeon 2015 prints (on sums over banks) permits states from which no CTA
// can end.
TEST(RegisterBalance, SumsRunIntoDeadLocks) {
  std::mt19937 random(3);
  int stuck = 0;
  for (int round = 0; round < 200; ++round) {
    State s{{3, 3}, {2, 2}, {{0, 0}, {0, 0}, {0, 0}}};
    for (int step = 0; step < 12; ++step) {
      const std::size_t c = random() % 3, p = random() % 2;
      if (s.free[p] == 0 || s.charged[c][p] == s.whole[p]) continue;
      const RegisterBalance b = s.balance();
      if (!b.scalar_has_headroom() && b.scalar_smallest() != static_cast<int>(c)) continue;
      --s.free[p];
      ++s.charged[c][p];
    }
    stuck += !can_all_end(s, {false, false, false}, s.free);
  }
  EXPECT_GT(stuck, 0);
}

}  // namespace
}  // namespace heddle
