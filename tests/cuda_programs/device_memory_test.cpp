// Tests the device memory of a CUDA program: the memory's addresses, and host mappings at the same addresses.
// Address sanitizers reserve these addresses, so this test is not built with sanitizers.

#include "testbench/program/device_memory.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(DeviceMemory, PlacesAreTakenAgainAndEveryByteBelongsToOneBlock) {
  using Kind = program::DeviceMemory::Kind;
  program::DeviceMemory memory(1 << 20, 0);
  const std::uint64_t a = memory.allocate(100, Kind::device), b = memory.allocate(5000, Kind::device);
  EXPECT_EQ(a % 4096, 0u);
  EXPECT_GE(b, a + 100 + 4096);
  EXPECT_EQ(memory.block_of(a + 99)->address, a);
  EXPECT_EQ(memory.block_of(a + 100), nullptr);
  EXPECT_EQ(memory.bytes_at(a + 90, 20), nullptr);
  EXPECT_FALSE(memory.release(a + 4, Kind::device));
  EXPECT_FALSE(memory.release(a, Kind::pinned));
  EXPECT_TRUE(memory.release(a, Kind::device));
  EXPECT_FALSE(memory.release(a, Kind::device));
  EXPECT_EQ(memory.allocate(50, Kind::device), a);
  EXPECT_EQ(memory.allocate(1 << 20, Kind::device), 0u);
  EXPECT_EQ(memory.used(), 5050u);
  memory.keep_released();
  EXPECT_TRUE(memory.release(a, Kind::device));
  EXPECT_NE(memory.allocate(50, Kind::device), a);
}

TEST(DeviceMemory, TheHostSeesManagedMemoryWhereTheDeviceDoes) {
  using Kind = program::DeviceMemory::Kind;
  program::DeviceMemory memory(1 << 20, 0);
  const std::uint64_t address = memory.allocate(8192, Kind::managed);
  ASSERT_NE(address, 0u);
  auto* const host = reinterpret_cast<std::uint8_t*>(address);
  EXPECT_EQ(memory.bytes_at(address, 8192), host);
  host[5000] = 7;
  memory.before_launch();
  EXPECT_EQ(*memory.image().at(address + 5000, 1, "test"), 7);
  *memory.image().at(address + 5000, 1, "test") = 8;
  memory.after_launch();
  EXPECT_EQ(host[5000], 8);
  EXPECT_TRUE(memory.release(address, Kind::managed));
}

}  // namespace
}  // namespace heddle
