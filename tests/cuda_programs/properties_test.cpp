// Tests cudaDeviceProp in the layouts of CUDA 11, 12 and 13. Offsets come from the member lists in the
// reference manuals of CUDA Runtime 11.8 and 12.9, and the header of 13.0.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "testbench/cudart/properties.h"

namespace heddle::cudart {
namespace {

struct Places {
  int cuda;
  std::size_t bytes;
  std::size_t clock;  ///< offset of the clock rate; 0: CUDA 13 has no such member
  std::size_t constant, major, sms, maps_host, surface_alignment, kernels_at_once, addressing, threads_an_sm;
  std::size_t shared_an_sm, registers_an_sm, managed, cooperative, shared_at_most, blocks_an_sm;
  /// byte offset of the member for the memory bus width; the L2 size follows it; the memory clock precedes it
  /// (not in CUDA 13)
  std::size_t bus;
  std::size_t double_ratio;
};
constexpr std::size_t kMemory = 288, kShared = 296, kRegisters = 304, kWarp = 308, kThreads = 320,
                      kSizes = 324,
                      kGrid = 336;  // byte offsets that are the same in all CUDA versions

TEST(Properties, LieWhereEachVersionHasThem) {
  Device d;
  d.name = "model";
  d.major = 8, d.minor = 6, d.sms = 15, d.clock_khz = 700'000;
  d.threads_a_block = 1024, d.threads_an_sm = 1536, d.blocks_an_sm = 8;
  d.registers_an_sm = 32768, d.memory_bytes = std::uint64_t{5} << 30;
  d.shared_a_block = 49152, d.shared_an_sm = 102400, d.shared_a_block_at_most = 101376;
  d.l2_bytes = 786432, d.memory_bus_bits = 384, d.memory_clock_khz = 1'848'000, d.double_ratio = 8;
  for (const Places& p :
       {Places{11, 728, 348, 352, 360, 388, 400, 568, 576, 604, 624, 640, 648, 652, 688, 696, 712, 612, 668},
        Places{12, 1032, 348, 352, 360, 388, 400, 568, 576, 604, 624, 640, 648, 652, 688, 696, 712, 612, 668},
        Places{13, 1008, 0, 352, 360, 384, 392, 552, 560, 588, 604, 624, 632, 636, 668, 672, 688, 592, 0}}) {
    SCOPED_TRACE(p.cuda);
    constexpr std::uint8_t kUntouched = 0xa5;
    std::vector<std::uint8_t> bytes(1200, kUntouched);
    write_properties(bytes.data(), d, p.cuda);
    const auto number = [&](std::size_t at) {
      std::int32_t value = 0;
      std::memcpy(&value, &bytes[at], sizeof value);
      return value;
    };
    const auto size = [&](std::size_t at) {
      std::uint64_t value = 0;
      std::memcpy(&value, &bytes[at], sizeof value);
      return value;
    };
    EXPECT_STREQ(reinterpret_cast<const char*>(bytes.data()), "model");
    EXPECT_EQ(size(kMemory), d.memory_bytes);
    EXPECT_EQ(size(kShared), d.shared_a_block);
    EXPECT_EQ(number(kRegisters), d.registers_an_sm);
    EXPECT_EQ(number(kWarp), 32);
    EXPECT_EQ(number(kThreads), d.threads_a_block);
    EXPECT_EQ(number(kSizes + 8), 64);
    EXPECT_EQ(number(kGrid), 0x7fffffff);
    if (p.clock) {
      EXPECT_EQ(number(p.clock), d.clock_khz);
    }
    EXPECT_EQ(size(p.constant), 64u << 10);
    EXPECT_EQ(number(p.major), d.major);
    EXPECT_EQ(number(p.major + 4), d.minor);
    EXPECT_EQ(number(p.sms), d.sms);
    EXPECT_EQ(number(p.maps_host), 1);
    EXPECT_EQ(size(p.surface_alignment), 512u);
    EXPECT_EQ(number(p.kernels_at_once), 1);
    EXPECT_EQ(number(p.addressing), 1);
    EXPECT_EQ(number(p.threads_an_sm), d.threads_an_sm);
    EXPECT_EQ(size(p.shared_an_sm), d.shared_an_sm);
    EXPECT_EQ(number(p.registers_an_sm), d.registers_an_sm);
    EXPECT_EQ(number(p.managed), 1);
    EXPECT_EQ(number(p.cooperative), 1);
    EXPECT_EQ(size(p.shared_at_most), d.shared_a_block_at_most);
    EXPECT_EQ(number(p.bus), d.memory_bus_bits);
    EXPECT_EQ(number(p.bus + 4), d.l2_bytes);
    if (p.double_ratio) {
      EXPECT_EQ(number(p.bus - 4), d.memory_clock_khz);
      EXPECT_EQ(number(p.double_ratio), d.double_ratio);
    }
    EXPECT_EQ(number(p.blocks_an_sm), d.blocks_an_sm);
    for (std::size_t at = p.bytes; at < bytes.size(); ++at) ASSERT_EQ(bytes[at], kUntouched) << at;
    EXPECT_EQ(number(p.bytes - 4), 0);
  }
}

}  // namespace
}  // namespace heddle::cudart
