// Tests bank arbiters: the contract that every registered arbiter must fulfil, and the ports of the
// conventional arbiter.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/registry.h"
#include "models/ports/register_access.h"

namespace heddle::arbiter_test {
namespace {

constexpr int kBanks = 4, kCollectors = 6;

std::unique_ptr<BankArbiter> make(const std::string& name) {
  BankArbiter::Context context{kBanks, kCollectors};
  return Registry<BankArbiter>::instance().make(ConfigNode::make_string(name), context);
}

struct Queues {
  std::vector<std::vector<WaitingAccess>> banks{kBanks};
  std::vector<BankQueueView> views{kBanks};
  ArbiterView view;
  ServedAccesses served;

  void choose(BankArbiter& arbiter) {
    view.waiting_banks = 0;
    for (std::size_t b = 0; b < kBanks; ++b) {
      views[b] = banks[b];
      if (!banks[b].empty()) view.waiting_banks |= std::uint64_t{1} << b;
    }
    view.banks = views;
    served.clear();
    arbiter.choose(view, served);
  }
};

WaitingAccess access(bool write, std::uint32_t entry, std::uint16_t source, Cycle from = 0) {
  WaitingAccess a;
  a.write = write;
  a.entry = entry;
  a.source = write ? RegisterAccess::kResultBus : source;
  a.from = from;
  return a;
}

std::vector<std::uint32_t> positions(Queues& q, BankArbiter& arbiter) {
  q.choose(arbiter);
  std::vector<std::uint32_t> all;
  for (const ServedAccess& s : q.served) all.push_back(s.position);
  return all;
}

using Positions = std::vector<std::uint32_t>;

TEST(OnePerBank, OnePortServesTheOldestThatCanGo) {
  const auto arbiter = make("one-per-bank");
  Queues q;
  q.banks[1] = {access(false, 1, 0, 5), access(true, 2, 0), access(false, 3, 1)};
  EXPECT_EQ(positions(q, *arbiter), Positions{1});
  q.view.now = 5;
  EXPECT_EQ(positions(q, *arbiter), Positions{0});
}

TEST(OnePerBank, TwoPortsServeAReadAndAWrite) {
  const auto arbiter = make("one-per-bank");
  Queues q;
  q.view.separate_ports = true;
  q.banks[0] = {access(false, 1, 0), access(false, 2, 1), access(true, 3, 0), access(true, 4, 0)};
  EXPECT_EQ(positions(q, *arbiter), (Positions{0, 2}));
}

TEST(OnePerBank, NothingOvertakesAnAccessToItsEntry) {
  const auto arbiter = make("one-per-bank");
  Queues q;
  q.view.separate_ports = true;
  q.banks[0] = {access(true, 7, 0, 9), access(false, 7, 1), access(false, 8, 1)};
  EXPECT_EQ(positions(q, *arbiter), Positions{2}) << "the read of entry 7 waits for the write before it";
  q.banks[0] = {access(false, 7, 0, 9), access(true, 7, 0)};
  EXPECT_EQ(positions(q, *arbiter), Positions{});
  q.banks[0] = {access(false, 7, 0, 9), access(false, 7, 1)};
  EXPECT_EQ(positions(q, *arbiter), Positions{1}) << "two reads";
}

TEST(OnePerBank, CollectorsTakeSoManyWords) {
  const auto arbiter = make("one-per-bank");
  Queues q;
  q.view.operands_per_collector = 1;
  q.banks[0] = {access(false, 0, 3)};
  q.banks[1] = {access(false, 0, 3), access(false, 1, 4)};
  q.banks[2] = {access(true, 0, 0)};
  EXPECT_EQ(positions(q, *arbiter), (Positions{0, 1, 0}));
  ++q.view.now;
  q.view.operands_per_collector = 2;
  EXPECT_EQ(positions(q, *arbiter), (Positions{0, 0, 0}));
}

constexpr std::uint8_t kSubBanks[] = {0b0001, 0b0011, 0b0111, 0b1111, 0b1000, 0b1100, 0b1110};

constexpr std::size_t kQueue = 16;

// Every arbiter must keep the rules for the order of accesses, for ports and for byte slices of collectors.
// Accesses arrive at half of the rate that the banks can serve, so each access that the rules permit must be
// served soon.
TEST(ArbiterContract, OrderPortsSlicesProgress) {
  for (const auto& [name, entry] : Registry<BankArbiter>::instance().entries()) {
    SCOPED_TRACE(name);
    for (const int ports : {0, 1, 2, 3}) {
      const bool separate = ports & 1, sliced = ports & 2;
      const auto arbiter = make(name);
      std::mt19937 random(9);
      Queues q;
      q.view.separate_ports = separate;
      q.view.sliced_collectors = sliced;
      q.view.operands_per_collector = 2;
      int added = 0, done = 0;
      for (q.view.now = 0; q.view.now < 3000; ++q.view.now) {
        for (auto& bank : q.banks)
          if (added < 2000 && bank.size() < kQueue && random() % 2) {
            bank.push_back(access(random() % 2, random() % 3,
                                  static_cast<std::uint16_t>(random() % kCollectors),
                                  q.view.now + random() % 4));
            bank.back().sub_banks = kSubBanks[random() % std::size(kSubBanks)];
            ++added;
          }
        q.choose(*arbiter);
        std::map<std::uint32_t, std::uint32_t> last;
        std::map<std::uint16_t, int> words;
        std::map<std::pair<std::uint16_t, int>, int> slices;
        std::map<std::pair<std::uint32_t, bool>, unsigned> open;
        bool eligible = false;
        for (const auto& bank : q.banks) eligible |= !bank.empty() && bank.front().from <= q.view.now;
        ASSERT_TRUE(!eligible || !q.served.empty()) << "nothing served in cycle " << q.view.now;
        std::vector<std::set<std::uint32_t>> gone(kBanks);
        for (const ServedAccess& s : q.served) {
          const auto& bank = q.banks[s.bank.value];
          ASSERT_LT(s.position, bank.size());
          ASSERT_TRUE(!last.count(s.bank.value) || last[s.bank.value] < s.position);
          last[s.bank.value] = s.position;
          ASSERT_NE(s.sub_banks, 0);
          ASSERT_LE(bank[s.position].from, q.view.now);
          ASSERT_LE(q.view.now - bank[s.position].from, 100u) << "it has starved";
          if (!bank[s.position].write) {
            ++words[bank[s.position].source];
            for (int slice = 0; slice < 4; ++slice)
              slices[{bank[s.position].source, slice}] += s.sub_banks >> slice & 1;
          }
          unsigned& opened = open[{s.bank.value, separate && bank[s.position].write}];
          if (!arbiter->is_limit()) {
            if (!sliced) {
              ASSERT_LE(words[bank[s.position].source], 2);
            }
            for (const auto& [slice, taken] : slices) ASSERT_LE(taken, 2) << "of one slice of a collector";
            ASSERT_EQ(opened & s.sub_banks, 0u) << "overlapping accesses of one port";
          }
          ASSERT_EQ(s.sub_banks, bank[s.position].sub_banks);
          opened |= s.sub_banks;
          for (std::uint32_t before = 0; before < s.position; ++before)
            ASSERT_FALSE(!gone[s.bank.value].count(before) && bank[before].entry == bank[s.position].entry &&
                         (bank[before].write || bank[s.position].write));
          gone[s.bank.value].insert(s.position);
        }
        for (std::size_t i = q.served.size(); i-- > 0; ++done) {
          auto& bank = q.banks[q.served[i].bank.value];
          bank.erase(bank.begin() + static_cast<std::ptrdiff_t>(q.served[i].position));
        }
      }
      EXPECT_EQ(done, 2000) << "every access is served in the end";
    }
  }
}

}  // namespace
}  // namespace heddle::arbiter_test
