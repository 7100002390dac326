// Tests the release flag cache (Jeon 2015): its entries, and the flags that it attaches to instructions after
// a metadata word.

#include "models/frontend/release_flag_cache.h"

#include <gtest/gtest.h>

#include "models/core/registry.h"
#include "models/frontend/i_front_end_stage.h"

namespace heddle {
namespace {

using isa::Instruction;
using isa::Operand;

Instruction word_of(std::uint64_t payload) {
  Instruction i;
  i.metadata = true;
  i.payload = payload;
  return i;
}
Instruction with_sources(int count) {
  Instruction i;
  i.op = isa::Opcode::add;
  for (int n = 0; n < count; ++n) i.add_src(Operand::make_reg(RegId(static_cast<std::uint32_t>(n)), 32));
  return i;
}
std::uint64_t field(int first_group) { return std::uint64_t(first_group) << 51; }

class ReleaseFlagStageTest : public testing::Test {
 protected:
  void build(int entries) {
    stats = std::make_unique<StatsRegistry>();
    FrontEndStage::Context context{StatsScope(*stats, "cache"), 8};
    const std::string json = R"({"type": "release-flag-cache", "entries": )" + std::to_string(entries) + "}";
    stage = Registry<FrontEndStage>::instance().make(parse_config_text(json, "test"), context);
  }
  // Does what the front end does with an instruction: looks up the cache and, after a miss, decodes the
  // instruction.
  std::uint64_t meet(std::uint32_t pc, std::uint64_t latch = 0) {
    const DecodePlace place{0, WarpId(0), pc, &program};
    if (!program.code[pc].metadata || !stage->holds(place, latch)) stage->decoded(place, latch);
    return latch;
  }
  std::uint64_t counter(const std::string& name) const {
    for (const CounterInfo& info : stats->counters())
      if (info.name == name) return info.counter->value();
    return ~std::uint64_t{0};
  }

  isa::Program program;
  std::unique_ptr<StatsRegistry> stats;
  std::unique_ptr<FrontEndStage> stage;
};

// Example F: the basic blocks A, B and C begin at the addresses 0x00, 0x60 and 0x88, and execute in the order
// A B A C B A C B.
TEST_F(ReleaseFlagStageTest, ExampleFHitsByNumberOfEntries) {
  program.code.resize(18);
  for (const std::uint32_t pc : {0x00u / 8, 0x60u / 8, 0x88u / 8})
    program.code[pc] = word_of(isa::encode_pir(pc));
  const std::pair<int, std::uint64_t> expected[] = {{0, 0}, {1, 0}, {2, 1}, {5, 2}, {10, 5}};
  for (const auto& [entries, hits] : expected) {
    SCOPED_TRACE(entries);
    build(entries);
    for (const char block : std::string("ABACBACB")) {
      const std::uint32_t pc = block == 'A' ? 0 : block == 'B' ? 12 : 17;
      EXPECT_EQ(meet(pc), pc) << "the flags of the block that was come to";
    }
    EXPECT_EQ(counter("hits"), hits);
    EXPECT_EQ(counter("misses"), 8 - hits);
  }
}

TEST_F(ReleaseFlagStageTest, FlagsMoveOnByTheGroupsThatAnInstructionTakes) {
  program.code = {word_of(isa::encode_pir(field(1) | field(7) >> 3 | field(3) >> 6 | field(2) >> 9)),
                  with_sources(1), with_sources(5), with_sources(0)};
  build(10);
  std::uint64_t latch = meet(0);
  EXPECT_EQ(isa::ReleaseLatch(latch).flags() >> 51, 1u);
  latch = meet(1, latch);
  EXPECT_EQ(isa::ReleaseLatch(latch).flags() >> 48, 073u) << "two groups for five sources";
  latch = meet(2, latch);
  EXPECT_EQ(isa::ReleaseLatch(latch).flags() >> 51, 2u);
  EXPECT_EQ(meet(3, latch), 0u);
}

TEST_F(ReleaseFlagStageTest, ListsAreNeverHeldAndAreCountedForTheInstructionBehind) {
  const std::uint64_t list = isa::encode_pbr(std::vector<std::uint32_t>{3, 4}, false)[0];
  program.code = {word_of(list), word_of(list), word_of(isa::encode_pir(field(2))), with_sources(2)};
  build(10);
  for (int turn = 0; turn < 2; ++turn) {
    std::uint64_t latch = meet(2, meet(1, meet(0)));
    EXPECT_EQ(isa::ReleaseLatch(latch).lists(), 2);
    EXPECT_EQ(isa::ReleaseLatch(latch).flags(), field(2));
    latch = meet(3, latch);
    EXPECT_EQ(latch, 0u);
  }
  EXPECT_EQ(counter("pbr_decodes"), 4u);
  EXPECT_EQ(counter("pbr_registers"), 8u);
  EXPECT_EQ(counter("hits"), 1u);
  EXPECT_EQ(counter("misses"), 1u);
}

TEST_F(ReleaseFlagStageTest, OtherMetadataIsNoneOfItsBusiness) {
  program.code = {word_of(0xa5a5ull << 48)};
  build(10);
  EXPECT_EQ(meet(0, 5), 5u);
  EXPECT_EQ(counter("hits") + counter("misses") + counter("pbr_decodes"), 0u);
}

TEST_F(ReleaseFlagStageTest, KernelsBeginWithAnEmptyCache) {
  program.code = {word_of(isa::encode_pir(field(1)))};
  build(10);
  meet(0);
  program.code = {word_of(isa::encode_pir(field(2)))};
  stage->on_kernel_begin();
  EXPECT_EQ(meet(0), field(2));
}

// The program is changed after the entry was filled. A hit must still return the flags in the entry.
TEST_F(ReleaseFlagStageTest, AHitAttachesWhatTheEntryHolds) {
  program.code = {word_of(isa::encode_pir(field(1)))};
  build(10);
  meet(0);
  program.code = {word_of(isa::encode_pir(field(2)))};
  EXPECT_EQ(meet(0), field(1));
  EXPECT_EQ(counter("hits"), 1u);
}

TEST(ReleaseFlagCache, AFlippedBitShows) {
  ReleaseFlagCache cache(10);
  cache.replace(0x60, field(1));
  ASSERT_EQ(cache.find(0x60), field(1));
  cache.flip(0x60 / 8 % 10, 53);
  EXPECT_EQ(cache.find(0x60), field(5));
}

TEST(ReleaseFlagCache, TagsTellAddressesOfOneEntryApart) {
  ReleaseFlagCache cache(10);
  cache.replace(0x00, 1);
  EXPECT_FALSE(cache.find(80)) << "entry 0 as well";
  cache.replace(80, 2);
  EXPECT_FALSE(cache.find(0x00));
  EXPECT_EQ(cache.find(80), 2u);
}

}  // namespace
}  // namespace heddle
