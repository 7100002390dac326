// Accesses that are resolved at once, beside the same resolved lane by lane.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "models/reference/lane_memory.h"

namespace heddle::reference {
namespace {

constexpr std::uint64_t kBuffer = 0x2'0000'1000, kBytes = 1 << 20;

class EvenAccess : public ::testing::Test {
 protected:
  EvenAccess() {
    device.allocate_at("buffer", kBuffer, kBytes);
    form.space = isa::Space::global;
    form.element_bytes = 4;
    form.elements = 1;
  }
  void put(std::uint64_t first, std::uint64_t second, std::int64_t step) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t begin = lane < kLanes / 2 ? first : second;
      addresses[static_cast<std::size_t>(lane)] =
          begin + static_cast<std::uint64_t>(step * (lane % (kLanes / 2)));
      low[lane] = static_cast<std::uint32_t>(addresses[static_cast<std::size_t>(lane)]);
      high[lane] = static_cast<std::uint32_t>(addresses[static_cast<std::size_t>(lane)] >> 32);
    }
  }
  /// Lanes that do not take part hold what no address is.
  void expect_as_lane_by_lane(isa::AccessKind kind, LaneMask active = kAllLanes) {
    for (int lane = 0; lane < kLanes; ++lane)
      if (!(active >> lane & 1u)) low[lane] = high[lane] = kPoison;
    const auto even = even_addresses(low, &high, 0, active);
    if (!even) return;
    for (int lane = 0; lane < kLanes; ++lane)
      if (active >> lane & 1u) {
        ASSERT_EQ(even->at(lane), addresses[static_cast<std::size_t>(lane)]) << lane;
      }
    ResolvedAccess at_once, apart;
    const bool resolves = resolve_even(view, form, kind, active, *even, at_once);
    std::array<std::uint64_t, kLanes> own = addresses;
    const AccessFault fault = resolve(view, form, kind, active, own, apart);
    if (!resolves) return;
    ++resolved;
    ASSERT_EQ(fault.lane, -1);
    EXPECT_EQ(at_once.global_segments, apart.global_segments);
    EXPECT_EQ(at_once.touches_global, apart.touches_global);
    EXPECT_EQ(at_once.touches_shared, apart.touches_shared);
    EXPECT_EQ(at_once.touches_local, apart.touches_local);
    if (active == kAllLanes) {
      EXPECT_EQ(at_once.consecutive, apart.consecutive);
    }
    if (at_once.runs != 0) at_once.spread();
    for (std::size_t lane = 0; lane < kLanes; ++lane) EXPECT_EQ(at_once.pointer[lane], apart.pointer[lane]);
  }
  /// Loads and stores of whole runs, beside lane by lane.
  void expect_runs_to_move_words(LaneMask active) {
    ResolvedAccess access;
    const auto even = even_addresses(low, &high, 0, active);
    if (!even || !resolve_even(view, form, isa::AccessKind::load, active, *even, access) || access.runs == 0)
      return;
    LaneVec loaded, expected;
    loaded.fill(kPoison);
    expected.fill(kPoison);
    load_runs(access, loaded);
    for (int lane = 0; lane < kLanes; ++lane)
      if (active >> lane & 1u)
        std::memcpy(&expected[lane], device.find(addresses[static_cast<std::size_t>(lane)], 4), 4);
    EXPECT_EQ(loaded, expected);
    if (access.same) return;
    EXPECT_TRUE(equal_runs(access, loaded));
    for (auto& word : loaded.lane) word += 7;
    EXPECT_FALSE(equal_runs(access, loaded));
    store_runs(access, loaded);
    EXPECT_TRUE(equal_runs(access, loaded));
    ++moved;
  }

  int resolved = 0, moved = 0;
  MemoryImage device;
  std::vector<std::uint8_t> shared, local, parameters;
  MemoryView view{&device, shared, local, 0, parameters, ""};
  isa::MemoryAccess form;
  std::array<std::uint64_t, kLanes> addresses{};
  LaneVec low, high;
};

TEST_F(EvenAccess, IsAsLaneByLane) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t step = 4 * (static_cast<std::int64_t>(random() % 90) - 45);
    const std::uint64_t first = kBuffer + kBytes / 2 + 4 * (random() % 256),
                        second = i % 3 == 0 ? first + static_cast<std::uint64_t>(16 * step)
                                            : kBuffer + kBytes / 2 + 4 * (random() % 1024);
    put(first, second, step);
    ASSERT_TRUE(even_addresses(low, &high, 0).has_value());
    expect_as_lane_by_lane(i % 2 == 0 ? isa::AccessKind::load : isa::AccessKind::atomic);
  }
  EXPECT_GT(resolved, 1500) << "those of two rows that are far apart in themselves are not";
}

TEST_F(EvenAccess, IsAsLaneByLaneWhereAPartOfTheLanesIsActive) {
  std::mt19937 random(2);
  for (int i = 0; i < 4000; ++i) {
    const std::int64_t step = i % 4 == 0 ? 4 : 4 * (static_cast<std::int64_t>(random() % 12) - 4);
    const std::uint64_t first = kBuffer + kBytes / 2 + 4 * (random() % 256),
                        second = i % 3 == 0 ? first + static_cast<std::uint64_t>(16 * step)
                                            : kBuffer + kBytes / 2 + 4 * (random() % 1024);
    const auto neighbours = [&random] {
      return (0xffffu >> random() % 17) & (0xffffu << random() % 16) & 0xffffu;
    };
    LaneMask active = i % 5 == 0 ? static_cast<LaneMask>(random()) : neighbours() | neighbours() << 16;
    if (active == 0) active = 1u << i % 32;
    put(first, second, step);
    expect_as_lane_by_lane(i % 2 == 0 ? isa::AccessKind::load : isa::AccessKind::store, active);
    expect_runs_to_move_words(active);
  }
  EXPECT_GT(resolved, 2000);
  EXPECT_GT(moved, 500);
}

TEST_F(EvenAccess, OneLaneThatStandsOutIsSeen) {
  for (int lane = 0; lane < kLanes; ++lane) {
    put(kBuffer, kBuffer + 256, 4);
    low[lane] += 4;
    const auto even = even_addresses(low, &high, 0);
    EXPECT_FALSE(even.has_value()) << lane;
    put(kBuffer, kBuffer + 256, 4);
    high[lane] += 1;
    EXPECT_FALSE(even_addresses(low, &high, 0).has_value()) << lane;
  }
}

TEST_F(EvenAccess, WhatMayBeAtFaultIsLeftToWhoeverSaysWhy) {
  ResolvedAccess access;
  put(kBuffer + 2, kBuffer + 66, 4);
  EXPECT_FALSE(
      resolve_even(view, form, isa::AccessKind::load, kAllLanes, *even_addresses(low, &high, 0), access))
      << "misaligned";
  put(kBuffer, kBuffer + kBytes, 4);
  EXPECT_FALSE(
      resolve_even(view, form, isa::AccessKind::load, kAllLanes, *even_addresses(low, &high, 0), access))
      << "beyond the end";
}

// An index of shared memory wraps at 32 bits with its offset; a row that wraps on its way is not even.
TEST_F(EvenAccess, NarrowAddressesWrap) {
  put(0xffff'fff0, 0xffff'fff0, 0);
  const auto even = even_addresses(low, nullptr, 0x20);
  ASSERT_TRUE(even.has_value());
  EXPECT_EQ(even->at(0), 0x10u);
  put(0xffff'fff0, 0xffff'fff0, 4);
  EXPECT_FALSE(even_addresses(low, nullptr, 0).has_value());
  EXPECT_TRUE(even_addresses(low, nullptr, 0x20).has_value());
}

}  // namespace
}  // namespace heddle::reference
