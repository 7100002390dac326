#include <gtest/gtest.h>

#include <random>
#include <set>

#include "models/core/error.h"
#include "models/ports/register_map.h"

namespace heddle {
namespace {

BankParameters banks(int count, int entries, const std::string& layout = "wid") {
  BankParameters p;
  p.count = count;
  p.entries = entries;
  p.layout = layout;
  return p;
}

TEST(RegisterMap, WidPutsAWarpIntoOneBank) {
  RegisterMap map(banks(4, 16), 8);
  map.bind_warp(WarpId(6), 5);
  for (std::uint32_t r = 0; r < 5; ++r) EXPECT_EQ(map.place_of(WarpId(6), RegId(r)).bank, BankId(2));
  EXPECT_EQ(map.free_entries(), 4u * 16 - 5);
  EXPECT_FALSE(map.place_of(WarpId(6), RegId(5)).set);
}

TEST(RegisterMap, WshiftSpreadsAWarp) {
  RegisterMap map(banks(4, 16, "wshift"), 8);
  map.bind_warp(WarpId(6), 5);
  for (std::uint32_t r = 0; r < 5; ++r)
    EXPECT_EQ(map.place_of(WarpId(6), RegId(r)).bank, BankId((6 + r) % 4));
}

TEST(RegisterMap, GroupsNumberTheWarpsOfAPartitionInTurn) {
  for (const char* layout : {"wid", "wshift"}) {
    BankParameters p = banks(4, 16, layout);
    for (const int group : {1, 4}) {
      p.layout_group = group;
      RegisterMap map(p, 16);
      std::set<std::uint32_t> homes;
      for (const std::uint32_t warp : {1u, 5u, 9u, 13u}) {
        map.bind_warp(WarpId(warp), 1);
        homes.insert(map.place_of(WarpId(warp), RegId(0)).bank.value);
      }
      EXPECT_EQ(homes.size(), group == 1 ? 1u : 4u) << layout;
    }
  }
}

TEST(RegisterMap, FullBanksOverflowIntoTheNext) {
  RegisterMap map(banks(3, 4), 8);
  map.bind_warp(WarpId(2), 6);
  for (std::uint32_t r = 0; r < 6; ++r)
    EXPECT_EQ(map.place_of(WarpId(2), RegId(r)).bank, BankId(r < 4 ? 2u : 0u)) << r;
  // Bank 2, the home bank of warp 5, is full. Two registers of warp 5 go to bank 0 (two free entries), the
  // remaining registers to bank 1.
  map.bind_warp(WarpId(5), 6);
  EXPECT_EQ(map.place_of(WarpId(5), RegId(0)).bank, BankId(0));
  EXPECT_EQ(map.place_of(WarpId(5), RegId(2)).bank, BankId(1));
  EXPECT_EQ(map.free_entries(), 0u);
  EXPECT_THROW(map.bind_warp(WarpId(1), 1), InternalError);
}

TEST(RegisterMap, UnevenDepths) {
  BankParameters p = banks(3, 99);
  p.uneven_entries = {2, 5, 1};
  RegisterMap map(p, 8);
  EXPECT_EQ(map.entries(), 8u);
  map.bind_warp(WarpId(0), 8);
  EXPECT_EQ(map.place_of(WarpId(0), RegId(1)).bank, BankId(0));
  EXPECT_EQ(map.place_of(WarpId(0), RegId(2)).bank, BankId(1));
  EXPECT_EQ(map.place_of(WarpId(0), RegId(7)).bank, BankId(2));
  p.uneven_entries = {2, 5};
  EXPECT_THROW((RegisterMap{p, 8}), Error);
}

TEST(RegisterMap, NeverGivesAnEntryTwice) {
  for (const char* layout : {"wid", "wshift"}) {
    BankParameters p = banks(5, 30, layout);
    p.uneven_entries = {40, 7, 30, 1, 22};
    RegisterMap map(p, 16);
    std::mt19937 random(4);
    std::vector<std::uint32_t> size(16);
    for (int step = 0; step < 500; ++step) {
      const std::uint32_t w = random() % 16;
      if (size[w]) {
        map.release_warp(WarpId(w));
        size[w] = 0;
      } else if (const std::uint32_t n = 1 + random() % 20; n <= map.free_entries()) {
        map.bind_warp(WarpId(w), n);
        size[w] = n;
      }
      std::set<std::pair<std::uint32_t, std::uint32_t>> used;
      for (std::uint32_t v = 0; v < 16; ++v)
        for (std::uint32_t r = 0; r < size[v]; ++r) {
          const RegisterPlace place = map.place_of(WarpId(v), RegId(r));
          ASSERT_TRUE(place.set);
          ASSERT_LT(place.entry, static_cast<std::uint32_t>(map.depths()[place.bank.value]));
          ASSERT_TRUE(used.emplace(place.bank.value, place.entry).second);
        }
      ASSERT_EQ(used.size() + map.free_entries(), map.entries());
    }
  }
}

}  // namespace
}  // namespace heddle
