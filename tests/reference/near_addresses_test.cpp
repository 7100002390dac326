// If the addresses of the lanes are near each other, the reference performs the memory accesses of a warp
// together. The result must be the same as with a separate access for each lane.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "models/reference/lane_memory.h"
#include "models/reference/reference.h"

namespace heddle::reference {
namespace {

constexpr std::uint64_t kBuffer = 0x2'0000'1000, kBytes = 1 << 20;
using isa::AccessKind;

class NearAccess : public ::testing::Test {
 protected:
  NearAccess() {
    device.allocate_at("buffer", kBuffer, kBytes);
    std::uint32_t word = 1;
    for (std::uint64_t at = 0; at < kBytes; at += 4, word = word * 1664525 + 1013904223)
      std::memcpy(device.find(kBuffer + at, 4), &word, 4);
    form.space = isa::Space::global;
    form.element_bytes = 4;
    form.elements = 1;
  }
  void put_one(int lane, std::uint64_t address) {
    addresses[static_cast<std::size_t>(lane)] = address;
    low[lane] = static_cast<std::uint32_t>(address);
    high[lane] = static_cast<std::uint32_t>(address >> 32);
  }
  void put(std::uint64_t first, std::uint64_t second, std::int64_t step) {
    for (int lane = 0; lane < kLanes; ++lane)
      put_one(lane, (lane < kLanes / 2 ? first : second) +
                        static_cast<std::uint64_t>(step * (lane % (kLanes / 2))));
  }
  std::uint8_t* place_of(int lane) { return device.find(addresses[static_cast<std::size_t>(lane)], 4); }

  AccessFault resolve_now(AccessKind kind, LaneMask active, ResolvedAccess& access) {
    access.near = &near;
    if (resolve(view, form, kind, active, {&low, &high}, access)) return {};
    return find_fault(view, form, kind, active, {&low, &high});
  }
  void expect_as_lane_by_lane(AccessKind kind, LaneMask active = kAllLanes) {
    const auto first = static_cast<std::size_t>(std::countr_zero(active));
    for (int lane = 0; lane < kLanes; ++lane)
      if (!(active >> lane & 1u)) {
        low[lane] = high[lane] = kPoison;
        addresses[static_cast<std::size_t>(lane)] = addresses[first];
      }
    ResolvedAccess access;
    ASSERT_EQ(resolve_now(kind, active, access).lane, -1);
    together += access.base != nullptr;
    std::set<std::uint64_t> segments;
    std::vector<std::uint64_t> touched;
    const std::uint64_t piece = kind == AccessKind::load ? AccessSink::kReadBytes : AccessSink::kWriteBytes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      segments.insert(addresses[lane] / 128);
      if (lane == 0 || addresses[lane] / piece != addresses[lane - 1] / piece)
        touched.push_back(addresses[lane]);
      EXPECT_EQ(access.at(static_cast<int>(lane)), place_of(static_cast<int>(lane))) << lane;
    }
    EXPECT_TRUE(access.touches_global && !access.touches_shared && !access.touches_local);
    EXPECT_EQ(access.global_segments, segments.size());
    if (access.base) {
      EXPECT_EQ(std::vector(access.touched.begin(), access.touched.end()), touched);
    }
    expect_words_to_move(access, active);
  }
  void expect_words_to_move(const ResolvedAccess& access, LaneMask active) {
    LaneVec loaded, stored;
    loaded.fill(kPoison);
    gather_words(access, 0, active, loaded);
    for (int lane = 0; lane < kLanes; ++lane) {
      std::uint32_t expected = kPoison;
      if (active >> lane & 1u) std::memcpy(&expected, place_of(lane), 4);
      ASSERT_EQ(loaded[lane], expected) << lane;
      stored[lane] = loaded[lane] + static_cast<std::uint32_t>(lane) + 1;
    }
    MemoryImage expected = device;
    for (int lane = 0; lane < kLanes; ++lane)
      if (active >> lane & 1u)
        std::memcpy(expected.find(addresses[static_cast<std::size_t>(lane)], 4), &stored[lane], 4);
    scatter_words(access, active, stored);
    for (std::size_t i = 0; i < device.allocations().size(); ++i)
      EXPECT_TRUE(device.allocations()[i]->data == expected.allocations()[i]->data)
          << "the last of several lanes wins, no other word changes";
  }

  int together = 0;
  MemoryImage device;
  std::vector<std::uint8_t> shared, local, parameters;
  MemoryView view{&device, shared, local, 0, parameters, ""};
  isa::MemoryAccess form;
  std::array<std::uint64_t, kLanes> addresses{};
  LaneVec low, high;
  NearAddresses near;
};

LaneMask some_lanes(std::mt19937& random, int i) {
  const auto neighbours = [&random] {
    return (0xffffu >> random() % 17) & (0xffffu << random() % 16) & 0xffffu;
  };
  const LaneMask active = i % 4 == 0   ? kAllLanes
                          : i % 4 == 1 ? static_cast<LaneMask>(random())
                                       : neighbours() | neighbours() << 16;
  return active ? active : 1u << i % 32;
}

TEST_F(NearAccess, RowsAreAsLaneByLane) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const std::int64_t step = i % 3 == 0 ? 4 : 4 * (static_cast<std::int64_t>(random() % 90) - 45);
    const std::uint64_t first = kBuffer + kBytes / 2 + 4 * (random() % 256),
                        second = i % 3 == 1 ? first + static_cast<std::uint64_t>(16 * step)
                                            : kBuffer + kBytes / 2 + 4 * (random() % 1024);
    put(first, second, step);
    expect_as_lane_by_lane(i % 2 == 0 ? AccessKind::load : AccessKind::store, some_lanes(random, i));
  }
  EXPECT_EQ(together, 300);
}

TEST_F(NearAccess, LanesAnywhereAreAsLaneByLane) {
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t reach =
        std::array<std::uint64_t, 3>{64, 4096, kBytes / 4}[static_cast<std::size_t>(i) % 3];
    for (int lane = 0; lane < kLanes; ++lane) put_one(lane, kBuffer + 4 * (random() % reach));
    expect_as_lane_by_lane(i % 2 == 0 ? AccessKind::load : AccessKind::atomic, some_lanes(random, i));
  }
  EXPECT_EQ(together, 300);
}

TEST_F(NearAccess, OneLaneThatStandsOutIsSeen) {
  for (int lane = 0; lane < kLanes; ++lane)
    for (const LaneMask active : {kAllLanes, kAllLanes & ~(1u << (lane + 1) % kLanes)}) {
      put(kBuffer + 512, kBuffer + 1024, 4);
      expect_as_lane_by_lane(AccessKind::load, active);
      put(kBuffer + 768, kBuffer + 1280, 4);
      put_one(lane, addresses[static_cast<std::size_t>(lane)] + 4);
      expect_as_lane_by_lane(AccessKind::load, active);
    }
}

TEST_F(NearAccess, TheOtherHalfOfItsPlaceIsAnotherAddress) {
  const std::uint64_t far = 0x3'0000'0000;
  device.allocate_at("far", far - 256, 512);
  put(far - 128, far - 64, 4);
  expect_as_lane_by_lane(AccessKind::load);
  for (int lane = 0; lane < kLanes; ++lane) {
    put(far - 128, far - 64, 4);
    high[lane] += 1;
    ResolvedAccess access;
    EXPECT_EQ(resolve_now(AccessKind::load, kAllLanes, access).lane, lane) << "nothing lies there";
  }
  put(far - 64, far, 4);
  ResolvedAccess access;
  EXPECT_EQ(resolve_now(AccessKind::load, kAllLanes, access).lane, -1);
  EXPECT_EQ(access.base, nullptr) << "each by itself";
  EXPECT_EQ(access.at(16), access.at(15) + 4);
  EXPECT_EQ(access.global_segments, 2u);
}

TEST_F(NearAccess, FaultsNameTheirLane) {
  ResolvedAccess access;
  put(kBuffer, kBuffer + 64, 4);
  put_one(7, kBuffer + 2);
  AccessFault fault = resolve_now(AccessKind::load, kAllLanes, access);
  EXPECT_EQ(fault.lane, 7);
  EXPECT_TRUE(fault.misaligned);
  put(kBuffer, kBuffer + kBytes, 4);
  fault = resolve_now(AccessKind::load, kAllLanes, access);
  EXPECT_EQ(fault.lane, 16);
  EXPECT_FALSE(fault.misaligned);
}

// In shared memory, the sum of address and offset wraps at 32 bits. The distance between the addresses of two
// lanes wraps too.
TEST_F(NearAccess, NarrowAddressesWrap) {
  put(0xffff'fff0, 0xffff'fff0 + 64, 4);
  EXPECT_TRUE(find_near(low, nullptr, 0x20, kAllLanes, near));
  EXPECT_EQ(near.low, 0x10u);
  EXPECT_EQ(near.span, 31u * 4);
  EXPECT_FALSE(find_near(low, nullptr, 0, kAllLanes, near)) << "the row wraps on its way";
  EXPECT_FALSE(find_near(low, nullptr, 8, kAllLanes, near)) << "known from before, too";
}

}  // namespace
}  // namespace heddle::reference
