// Tests which entries are reserved for registers that are exempt from renaming (Jeon 2015, 7.1), and which
// entries remain for other registers.

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "models/stages/availability.h"
#include "models/stages/pinned_registers.h"

namespace heddle {
namespace {

BankParameters banks(const char* layout, int entries) {
  BankParameters parameters;
  parameters.count = 4;
  parameters.entries = entries;
  parameters.layout = layout;
  return parameters;
}

// Each warp has N exempt registers. Exempt register n of warp w has the position N * w + n. Exempt registers
// of one bank lie in its entries in the order of their positions, from entry 0 on.
TEST(PinnedRegisters, LieAtNTimesTheirWarp) {
  for (const char* layout : {"wid", "wshift"}) {
    PinnedRegisters pinned(banks(layout, 256), 1, false);
    pinned.begin({20, 3, 48, 8}, WarpId(5));
    std::vector<std::uint32_t> next(4);
    const BankLayout home = banks(layout, 256).home();
    for (std::uint32_t w = 0; w < 48; ++w)
      for (std::uint32_t r = 0; r < 3; ++r) {
        ASSERT_TRUE(pinned.has(WarpId(w), RegId(r)));
        const std::uint32_t bank = home.bank_of(WarpId(w), RegId(r));
        EXPECT_EQ(pinned.place_of(WarpId(w), RegId(r)), (RegisterPlace{BankId(bank), next[bank]++, true}));
      }
    EXPECT_EQ(pinned.reserved(), (std::vector<std::uint32_t>{36, 36, 36, 36}));
    EXPECT_FALSE(pinned.has(WarpId(0), RegId(3)));
    EXPECT_FALSE(pinned.has(WarpId(48), RegId(0)));
  }
}

// With two partitions, a warp's reserved entries lie in its own partition's banks.
TEST(PinnedRegisters, CountTheWarpsOfTheirPartition) {
  PinnedRegisters pinned(banks("wshift", 64), 2, false);
  pinned.begin({10, 2, 16, 4}, WarpId(7));
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  for (std::uint32_t w = 1; w < 16; w += 2)
    for (std::uint32_t r = 0; r < 2; ++r) {
      const RegisterPlace& place = pinned.place_of(WarpId(w), RegId(r));
      EXPECT_LT(place.entry, pinned.reserved()[place.bank.value]);
      places.insert({place.bank.value, place.entry});
    }
  EXPECT_EQ(places.size(), 16u);
}

TEST(PinnedRegisters, LeaveRoomForACta) {
  // A bank holds all registers of 12 of the 48 warps. Two of the 20 registers of each warp are reserved: 24
  // entries. A CTA has one warp, which needs 18 more entries, so the bank needs 24 + 18 = 42.
  for (const auto& [entries, any] : {std::pair{42, true}, {41, false}}) {
    PinnedRegisters pinned(banks("wid", entries), 1, false);
    pinned.begin({20, 2, 48, 1}, WarpId(0));
    EXPECT_EQ(pinned.any(), any) << entries;
    EXPECT_EQ(pinned.of_a_warp(), any ? 2u : 0u);
  }
}

TEST(PinnedRegisters, AreNoneOfAKernelWithoutExemptOnes) {
  PinnedRegisters pinned(banks("wid", 64), 1, false);
  pinned.begin({20, 2, 8, 1}, WarpId(0));
  EXPECT_TRUE(pinned.any());
  pinned.begin({20, 0, 0, 1}, WarpId(0));
  EXPECT_FALSE(pinned.any());
  EXPECT_EQ(pinned.reserved(), std::vector<std::uint32_t>(4));
}

// The allocation of a free entry must never choose a reserved entry. A reserved entry counts as use of its
// subarray only while the entry's register is mapped.
TEST(Availability, GivesReservedEntriesByNameAlone) {
  for (const auto packing : {Availability::Packing::subarrays, Availability::Packing::round_robin}) {
    Availability bank(16, 4, packing);
    bank.reserve(5);
    EXPECT_EQ(bank.free(), 11u);
    EXPECT_EQ(bank.lowest(), 5u);
    EXPECT_EQ(bank.choose(~DomainSet{0}), 5u);
    EXPECT_EQ(bank.choose(0b0001), Availability::kNone) << "the first subarray is all reserved";
    EXPECT_EQ(bank.to_wake(0b0001), 0b0010u);
    EXPECT_TRUE(bank.pin(3));
    EXPECT_FALSE(bank.pin(2));
    EXPECT_EQ(bank.occupied(), 0b0001u);
    EXPECT_EQ(bank.chosen(), 0u);
    for (int i = 0; i < 11; ++i) bank.take(bank.choose(~DomainSet{0}));
    EXPECT_EQ(bank.free(), 0u);
    EXPECT_EQ(bank.choose(~DomainSet{0}), Availability::kNone);
    EXPECT_FALSE(bank.give(3));
    EXPECT_TRUE(bank.give(2));
    EXPECT_EQ(bank.occupied(), 0b1110u);
    EXPECT_EQ(bank.free(), 0u) << "they are still nobody's";
    EXPECT_FALSE(bank.pin(4)) << "its subarray holds others";
  }
}

}  // namespace
}  // namespace heddle
