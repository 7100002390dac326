// Tests the instruction cache: hits, misses, replacement, and two warps that miss on the same line.

#include <gtest/gtest.h>

#include "models/core/registry.h"
#include "models/frontend/i_front_end_stage.h"

namespace heddle {
namespace {

class InstructionCacheTest : public testing::Test {
 protected:
  void build(const std::string& json) {
    FrontEndStage::Context context{StatsScope(stats, "cache"), 8};
    cache = Registry<FrontEndStage>::instance().make(parse_config_text(json, "test"), context);
  }
  Cycle allow(Cycle now, std::uint64_t address, unsigned bytes = 16) {
    return cache->allow({now, WarpId(0), address, bytes, nullptr});
  }
  std::uint64_t misses() const { return stats.counters().back().counter->value(); }
  StatsRegistry stats;
  std::unique_ptr<FrontEndStage> cache;
};

TEST_F(InstructionCacheTest, MissesHoldTheWarpForTheMissTime) {
  build(R"({"type": "instruction-cache", "miss_cycles": 40})");
  EXPECT_EQ(allow(10, 0), 50u);
  EXPECT_EQ(allow(30, 64), 50u) << "the same line, under way";
  EXPECT_EQ(allow(50, 0), 50u);
  EXPECT_EQ(allow(51, 112), 51u);
  EXPECT_EQ(misses(), 1u);
}

TEST_F(InstructionCacheTest, FetchOverTwoLinesNeedsBoth) {
  build(R"({"type": "instruction-cache", "miss_cycles": 40})");
  allow(0, 0);
  EXPECT_EQ(allow(100, 120), 140u);
  EXPECT_EQ(misses(), 2u);
}

TEST_F(InstructionCacheTest, LeastRecentlyUsedLineGoes) {
  build(R"({"type": "instruction-cache", "bytes": 256, "line_bytes": 128, "ways": 2, "miss_cycles": 10})");
  allow(0, 0);
  allow(0, 128);
  allow(20, 0);
  EXPECT_EQ(allow(30, 256), 40u);
  EXPECT_EQ(allow(50, 0), 50u);
  EXPECT_EQ(allow(60, 128), 70u);
}

TEST_F(InstructionCacheTest, KernelsBeginWithAnEmptyCache) {
  build("\"instruction-cache\"");
  allow(0, 0);
  cache->on_kernel_begin();
  EXPECT_EQ(allow(500, 0), 600u);
}

TEST_F(InstructionCacheTest, FirstMissOfALineTakesItsOwnTime) {
  build(R"({"type": "instruction-cache", "bytes": 128, "line_bytes": 128, "ways": 1, "miss_cycles": 10,
            "first_miss_cycles": 70})");
  EXPECT_EQ(allow(0, 0), 70u);
  EXPECT_EQ(allow(100, 128), 170u);
  EXPECT_EQ(allow(200, 0), 210u) << "the line has been here before";
}

TEST_F(InstructionCacheTest, KeptLinesOutlastTheKernel) {
  build(R"({"type": "instruction-cache", "kept": true})");
  allow(0, 0);
  cache->on_kernel_begin();
  EXPECT_EQ(allow(500, 0), 500u);
}

TEST_F(InstructionCacheTest, RefusesSizesThatAreNoWholeSets) {
  EXPECT_THROW(build(R"({"type": "instruction-cache", "bytes": 640, "line_bytes": 128, "ways": 4})"), Error);
}

}  // namespace
}  // namespace heddle
