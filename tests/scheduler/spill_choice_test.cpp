// Tests the choice of the warps whose registers are spilled if CTAs need more registers than the file has
// (Jeon 2015, 8.1). The first tests check a worked example. SpillRuns runs the issue constraint on simulated
// warps, which compute, wait at barriers and end at random.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "models/core/registry.h"
#include "models/scheduler/constraints/spill_choice.h"
#include "models/scheduler/constraints/spilling_cta.h"
#include "tests/scheduler/throttle_rig.h"

namespace heddle::spill_choice_test {
namespace {

using throttle_rig::Claims;
using throttle_rig::kBanks;
using throttle_rig::kCtas;
using throttle_rig::kRegisters;
using throttle_rig::kWarps;
using throttle_rig::writing;
using Where = SpillChoice::Where;

struct TenEntries {
  SpillChoice choice;
  std::vector<SpillChoice::Warp> warps;
  std::vector<int> capacity{10}, unclaimed{10};

  explicit TenEntries(std::vector<int> held) {
    for (std::uint32_t w = 0; w < held.size(); ++w)
      warps.push_back({WarpId(w), w, Where::in, false, true, {4}, {held[w]}, {0}});
  }
  SpillOrders decide() {
    unclaimed[0] = capacity[0];
    for (const SpillChoice::Warp& w : warps) unclaimed[0] -= w.held[0];
    choice.set_state(capacity, unclaimed, warps);
    return choice.decide();
  }
  bool may_claim(std::uint32_t warp, int entries) {
    return choice.may_claim(WarpId(warp), std::vector<int>{entries});
  }
};

WarpSet none() { return {}; }
WarpSet set_of(std::uint32_t warp) { return WarpSet::of(WarpId(warp)); }

TEST(SpillChoice, FavoursWhoMayAskForLeastAndKeepsTheRestOfItFree) {
  TenEntries s({2, 3, 3});
  EXPECT_EQ(s.decide().out, none());
  EXPECT_EQ(s.choice.favoured(), 1) << "1 of 4 to ask for, older than warp 2";
  EXPECT_TRUE(s.may_claim(0, 1));
  EXPECT_FALSE(s.may_claim(0, 2)) << "of 2 free ones the last is kept for warp 1";
  EXPECT_TRUE(s.may_claim(1, 2));
  s.warps[0].held = {4};
  s.decide();
  EXPECT_EQ(s.choice.favoured(), 1) << "as long as it neither waits nor ends, though 0 could ask for less";
}

TEST(SpillChoice, SpillsWhoWaitsAtABarrierFirstAndBringsItBackWhenAllItMayNeedIsFree) {
  TenEntries s({4, 3, 3});
  s.warps[0].pending = true;
  SpillOrders orders = s.decide();
  EXPECT_EQ(s.choice.favoured(), 1);
  EXPECT_EQ(orders.out, set_of(0)) << "4 and 3 leave 3 of the 4 that warp 1 may need";
  EXPECT_FALSE(s.may_claim(2, 1));

  s.warps[0].where = Where::going;
  EXPECT_EQ(s.decide().out, none()) << "it is enough when it has gone";
  s.warps[0] = {WarpId(0), 0, Where::out, true, true, {4}, {0}, {4}};
  EXPECT_EQ(s.decide().back, none()) << "it still waits at the barrier";
  s.warps[1].pending = s.warps[2].pending = true;
  orders = s.decide();
  EXPECT_EQ(orders.out | orders.back, none());
  EXPECT_EQ(s.choice.favoured(), -1);

  for (SpillChoice::Warp& w : s.warps) w.pending = false;
  s.warps[1].held = s.warps[2].held = {4};
  EXPECT_EQ(s.decide().back, none()) << "2 are free";
  EXPECT_EQ(s.choice.favoured(), 1);
  s.warps.erase(s.warps.begin() + 1);
  EXPECT_EQ(s.decide().back, set_of(0));
  EXPECT_EQ(s.choice.favoured(), 2);
  s.warps[0] = {WarpId(0), 0, Where::coming, false, true, {4}, {1}, {4}};
  s.warps[1].held = {1};
  s.decide();
  EXPECT_TRUE(s.may_claim(0, 1)) << "what it had is kept for it";
  EXPECT_TRUE(s.may_claim(2, 5));
  EXPECT_FALSE(s.may_claim(2, 6)) << "3 of 8 free ones are kept for warp 0";
}

TEST(SpillChoice, OfThoseThatWaitForRegistersTheQuietThenTheYoungestGo) {
  TenEntries s({3, 3, 2, 2});
  s.warps[3].quiet = false;
  EXPECT_EQ(s.decide().out, set_of(2));
  EXPECT_EQ(s.choice.favoured(), 0);
  s.warps[3].quiet = true;
  EXPECT_EQ(s.decide().out, set_of(3));
}

TEST(SpillChoice, LooksAtEveryPool) {
  SpillChoice choice;
  const std::vector<int> capacity{4, 4}, unclaimed{0, 2};
  const std::vector<SpillChoice::Warp> warps = {
      {WarpId(0), 0, Where::in, false, true, {2, 2}, {1, 1}, {0, 0}},
      {WarpId(1), 1, Where::in, false, true, {2, 2}, {1, 0}, {0, 0}},
      {WarpId(2), 2, Where::in, true, true, {2, 2}, {2, 0}, {0, 0}},
      {WarpId(3), 3, Where::in, true, true, {2, 2}, {0, 1}, {0, 0}}};
  choice.set_state(capacity, unclaimed, warps);
  EXPECT_EQ(choice.decide().out, set_of(2)) << "warp 3 has nothing of the pool that is short";
}

class AskedClaims : public Claims {
 public:
  using Claims::Claims;
  std::size_t pool_of(WarpId warp, RegId reg) const override {
    ++asked;
    return Claims::pool_of(warp, reg);
  }
  mutable int asked = 0;
};

// In every cycle, every scheduler computes which warps to spill. To save time, this computation must look
// up only registers whose claims (rights to entries) have changed.
TEST(SpillingCta, CountsOnlyWhatHasChanged) {
  AskedClaims claims(4);
  const RegisterClaims* const all[] = {&claims};
  const WarpId warps[] = {WarpId(0), WarpId(1), WarpId(2)};
  std::array<WarpView, kWarps> views{};
  std::array<RegisterSet, kWarps> saved{};
  SpillView view;
  view.saved = saved;
  view.warps = views;
  for (const WarpId warp : warps) {
    view.running.add(warp);
    view.quiet.add(warp);
  }
  SpillingCta cta;
  cta.assembled(all);
  cta.begin(warps, kRegisters, [](WarpId) { return std::size_t{0}; });
  const CtaSlot slot(0);
  for (std::uint32_t r = 0; r < kRegisters; ++r)
    for (const WarpId warp : {WarpId(0), WarpId(1)}) {
      RegisterSet one;
      one.set(r);
      ASSERT_TRUE(claims.take(warp, slot, one));
    }
  const SpillOrders first = cta.order(view);
  EXPECT_FALSE(first.out | first.back) << "the warp that is favoured has what it needs";
  claims.asked = 0;
  for (int cycle = 0; cycle < 1000; ++cycle) cta.order(view);
  EXPECT_EQ(claims.asked, 0);
  claims.give(WarpId(0), slot, 1);
  claims.asked = 0;
  const SpillOrders then = cta.order(view);
  EXPECT_EQ(claims.asked, 1);
  EXPECT_FALSE(then.out | then.back);
}

/// An SM of one or two partitions. A CTA has one to five warps and may need more registers than the file has.
class Sm {
 public:
  Sm(unsigned seed, int partitions, int entries) : random_(seed), partitions_(partitions) {
    IssueConstraint::Context context{static_cast<int>(kWarps), static_cast<int>(kCtas), partitions,
                                     partitions};
    throttle_ = Registry<IssueConstraint>::instance().make(
        parse_config_text(R"({"type":"register-throttle","on_shortage":"spill"})", "test"), context);
    for (int p = 0; p < partitions; ++p) files_.emplace_back(entries);
    std::vector<const RegisterClaims*> claims;
    for (Claims& file : files_) claims.push_back(&file);
    throttle_->assembled(claims);
  }

  std::string run(int ctas) {
    for (int waited = 0; ended_ < ctas;) {
      place();
      const int before = issued_;
      move();
      for (int p = 0; p < partitions_; ++p)
        for (int slot = 0; slot < 2; ++slot) issue_one(p);
      for (Warp& warp : warps_) warp.in_flight = std::max(0, warp.in_flight - 1);
      release_some();
      open_barriers();
      if (!fault_.empty()) return fault_;
      waited = issued_ == before ? waited + 1 : 0;
      if (waited > 300) return "nobody issues";
    }
    return {};
  }
  int spilled() const { return spilled_; }
  int held_back() const { return held_back_; }

 private:
  enum class State { in, stopping, writing, out, coming };
  struct Warp {
    int cta = -1, left = 0, in_flight = 0;
    std::uint64_t age = 0;
    bool waits = false, ended = false;
    State state = State::in;
    isa::Instruction next;
  };

  Claims& file(WarpId warp) { return files_[warp.value % static_cast<std::uint32_t>(partitions_)]; }
  static CtaSlot slot_of(int cta) { return CtaSlot(static_cast<std::uint32_t>(cta)); }
  void think(Warp& warp) {
    warp.next = writing(static_cast<std::uint32_t>(random_() % kRegisters), random_() % 3);
  }
  void take(WarpId w, const RegisterSet& words) {
    if (!file(w).take(w, slot_of(warps_[w.value].cta), words)) fault_ = "an entry is given that is not there";
  }

  void place() {
    for (int c = 0; c < static_cast<int>(kCtas); ++c) {
      std::vector<WarpId>& cta = ctas_[static_cast<std::size_t>(c)];
      if (!cta.empty() || random_() % 3) continue;
      for (std::uint32_t w = 0; w < kWarps; ++w)
        if (warps_[w].cta < 0) cta.push_back(WarpId(w));
      std::shuffle(cta.begin(), cta.end(), random_);
      cta.resize(std::min<std::size_t>(cta.size(), 1 + random_() % 5));
      if (cta.empty()) return;
      for (const WarpId w : cta) {
        warps_[w.value] = {
            .cta = c, .left = 3 + static_cast<int>(random_() % 12), .age = ++placed_, .next = {}};
        think(warps_[w.value]);
      }
      throttle_->cta_begins({slot_of(c), 0, cta, kRegisters});
    }
  }

  void move() {
    SpillView view;
    for (std::uint32_t w = 0; w < kWarps; ++w) {
      Warp& warp = warps_[w];
      if (warp.cta < 0 || warp.ended) continue;
      Claims& f = file(WarpId(w));
      if (warp.state == State::stopping && warp.in_flight == 0) {
        saved_[w] = f.held[w];
        warp.state = State::writing;
        ++spilled_;
      }
      if (warp.state == State::writing) give_one(WarpId(w));
      if (warp.state == State::writing && !f.held[w].any()) warp.state = State::out;
      if (warp.state == State::coming && f.held[w] == saved_[w]) {
        warp.state = State::in;
        saved_[w] = {};
      }
      views_[w].cta = slot_of(warp.cta);
      views_[w].age = warp.age;
      view.running.add(WarpId(w));
      view.pending.set(WarpId(w), warp.waits);
      view.quiet.set(WarpId(w), warp.in_flight == 0);
      view.going.set(WarpId(w), warp.state == State::stopping || warp.state == State::writing);
      view.out.set(WarpId(w), warp.state == State::out);
      view.coming.set(WarpId(w), warp.state == State::coming);
    }
    view.saved = saved_;
    view.warps = views_;
    const SpillOrders orders = dynamic_cast<SpillDecision&>(*throttle_).order_spills(view);
    for (const WarpId w : orders.out) {
      if (warps_[w.value].state != State::in) fault_ = "a warp is stopped that has no registers to give up";
      warps_[w.value].state = State::stopping;
    }
    for (const WarpId w : orders.back) {
      if (warps_[w.value].state != State::out) fault_ = "a warp comes back that is not out";
      warps_[w.value].state = State::coming;
    }
  }
  void give_one(WarpId w) {
    bool given = false;
    const RegisterSet held = file(w).held[w.value];
    held.for_each([&](std::uint32_t r) {
      if (!given) file(w).give(w, slot_of(warps_[w.value].cta), r);
      given = true;
    });
  }

  void issue_one(int partition) {
    std::array<const isa::Instruction*, kWarps> instructions{};
    ConstraintView view;
    WarpSet coming;
    for (std::uint32_t w = 0; w < kWarps; ++w) {
      Warp& warp = warps_[w];
      const bool runs = warp.state == State::in && !warp.waits, comes = warp.state == State::coming;
      if (warp.cta < 0 || warp.ended || !(runs || comes) || static_cast<int>(w) % partitions_ != partition)
        continue;
      if (comes) {
        coming.add(WarpId(w));
        const RegisterSet rest = saved_[w].without(file(WarpId(w)).held[w]);
        if (!rest.any()) continue;
        std::uint32_t first = kRegisters;
        rest.for_each([&first](std::uint32_t r) { first = std::min(first, r); });
        loads_[w] = writing(first, 1);
      }
      view.candidates.add(WarpId(w));
      instructions[w] = comes ? &loads_[w] : &warp.next;
    }
    view.scheduler = view.partition = partition;
    view.warps = views_;
    view.instructions = instructions;
    const WarpSet blocked = throttle_->blocked(view);
    if (blocked & coming) fault_ = "what was kept free for a warp is refused to it";
    held_back_ += blocked.count();
    std::vector<WarpId> ready;
    for (const WarpId w : view.candidates & ~blocked) ready.push_back(w);
    if (ready.empty()) return;
    const WarpId chosen = ready[random_() % ready.size()];
    const isa::Instruction& issued = *instructions[chosen.value];
    take(chosen, file(chosen).claims_of(chosen, issued));
    ++issued_;
    if (coming.contains(chosen)) return;
    Warp& warp = warps_[chosen.value];
    warp.in_flight = static_cast<int>(random_() % 6);
    warp.waits = random_() % 5 == 0;
    think(warp);
    if (--warp.left == 0) end(chosen);
  }
  void end(WarpId w) {
    const int c = warps_[w.value].cta;
    while (file(w).held[w.value].any()) give_one(w);
    warps_[w.value].ended = true;
    std::vector<WarpId>& cta = ctas_[static_cast<std::size_t>(c)];
    if (!std::all_of(cta.begin(), cta.end(), [this](WarpId other) { return warps_[other.value].ended; }))
      return;
    throttle_->cta_ends(slot_of(c));
    for (const WarpId other : cta) warps_[other.value] = {};
    cta.clear();
    ++ended_;
  }
  void open_barriers() {
    for (const std::vector<WarpId>& cta : ctas_)
      if (std::all_of(cta.begin(), cta.end(),
                      [this](WarpId w) { return warps_[w.value].waits || warps_[w.value].ended; }))
        for (const WarpId w : cta) warps_[w.value].waits = false;
  }
  void release_some() {
    for (std::uint32_t w = 0; w < kWarps; ++w)
      if (warps_[w].cta >= 0 && !warps_[w].ended && warps_[w].state == State::in && random_() % 4 == 0) {
        const std::uint32_t r = random_() % kRegisters;
        if (file(WarpId(w)).held[w].test(r)) file(WarpId(w)).give(WarpId(w), slot_of(warps_[w].cta), r);
      }
  }

  std::mt19937 random_;
  int partitions_;
  std::unique_ptr<IssueConstraint> throttle_;
  std::vector<Claims> files_;
  std::array<Warp, kWarps> warps_;
  std::array<WarpView, kWarps> views_;
  std::array<isa::Instruction, kWarps> loads_;
  std::array<RegisterSet, kWarps> saved_;
  std::array<std::vector<WarpId>, kCtas> ctas_;
  std::string fault_;
  std::uint64_t placed_ = 0;
  int issued_ = 0, ended_ = 0, spilled_ = 0, held_back_ = 0;
};

// The smallest register file holds only one warp (two of the warp's four registers in each of two banks).
// Larger files hold some of the CTAs, but no file holds all. Every CTA must end, and no entry may belong to
// two registers at once.
TEST(SpillRuns, EveryCtaEndsAndNoEntryIsGivenTwice) {
  int spilled = 0, held_back = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    Sm sm(seed, 1 + static_cast<int>(seed % 2), 2 + static_cast<int>(seed % 5));
    ASSERT_EQ(sm.run(60), "") << "seed " << seed;
    spilled += sm.spilled();
    held_back += sm.held_back();
  }
  EXPECT_GT(spilled, 1000);
  EXPECT_GT(held_back, 1000);
}

struct NoWarps final : WarpHost {
  WarpSet running() const override { return {}; }
  bool at_barrier(WarpId) const override { return false; }
  bool quiet(WarpId) const override { return true; }
  bool executed(WarpId) const override { return true; }
  std::optional<std::uint32_t> next(WarpId, std::size_t) const override { return std::nullopt; }
  void switch_out(WarpId) override {}
  void switch_in(WarpId) override {}
  void execute(WarpId, std::span<const std::uint32_t>) override {}
  void release(WarpId, std::uint32_t) override {}
  void wake() override {}
};

TEST(SpillRuns, RefusedCtasAreNotSpilled) {
  NoWarps host;
  StatsRegistry registry;
  for (const bool spills : {true, false}) {
    const std::string shortage = spills ? "spill" : "refuse";
    const StatsScope stats(registry, shortage);
    IssueConstraint::Context context{};
    context.host = &host;
    context.stats = &stats;
    const auto throttle = Registry<IssueConstraint>::instance().make(
        parse_config_text(R"({"type":"register-throttle","on_shortage":")" + shortage + R"("})", "test"),
        context);
    EXPECT_EQ(throttle->residency() != nullptr, spills);
  }
}

}  // namespace
}  // namespace heddle::spill_choice_test
