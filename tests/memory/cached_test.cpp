#include <gtest/gtest.h>

#include "memory_rig.h"

namespace heddle::test {
namespace {

using isa::Opcode;

RigOptions options(const std::string& more_l2 = "", const std::string& more_dram = "") {
  RigOptions o;
  o.pipeline_overhead_cycles = 6;
  o.load_store.l1.enabled = false;
  o.load_store.sector_bytes = 128;
  o.memory = R"({"type": "cached", "l2": {"slices": 2, "bytes": 65536, "ways": 4, "latency_cycles": 120,)" +
             more_l2 + R"( "interleave_bytes": 256, "bytes_per_cycle": 32},)" +
             R"("dram": {"channels": 1, "latency_cycles": 200,)" + more_dram + R"( "bytes_per_cycle": 16}})";
  return o;
}

Shot& load(MemoryRig& rig, Cycle arrival, std::uint64_t offset) {
  Shot& shot = rig.shoot(arrival, {});
  MemoryRig::set_addresses(shot, kData + offset, 4);
  return shot;
}

Shot& store(MemoryRig& rig, Cycle arrival, std::uint64_t offset, std::uint64_t stride, std::uint32_t value) {
  Shot& shot = rig.shoot(arrival, {.op = Opcode::st});
  MemoryRig::set_addresses(shot, kData + offset, stride);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(shot, 1, i, value + static_cast<unsigned>(i));
  return shot;
}

Cycle time_of(const Shot& shot) { return shot.left - shot.entered; }

TEST(CachedMemory, LatenciesAreIssueToDependentIssue) {
  MemoryRig rig(options());
  rig.fill_words(65536);
  Shot& miss = load(rig, 1, 0);
  Shot& hit = load(rig, 1000, 0);
  rig.run();
  EXPECT_EQ(time_of(miss), 320u - 6);
  EXPECT_EQ(time_of(hit), 120u - 6);
  EXPECT_EQ(hit.results[0][0][7], 7u);
  EXPECT_EQ(rig.count("memory.l2_hits"), 1u);
  EXPECT_EQ(rig.count("memory.l2_misses"), 1u);
}

TEST(CachedMemory, LatencyTooShortForThePathIsRefused) {
  RigOptions o = options();
  o.pipeline_overhead_cycles = 120;
  o.load_store.shared.latency_cycles = o.load_store.constant.latency_cycles = 200;
  EXPECT_THROW(MemoryRig rig(o), Error);
}

TEST(CachedMemory, ChannelBandwidthIsTheClosedForm) {
  // 16 lines of 128 bytes miss the L2, and arrive through one DRAM channel of 16 bytes per cycle, which takes
  // 8 cycles per line.
  MemoryRig rig(options());
  rig.fill_words(65536);
  for (unsigned n = 0; n < 16; ++n) load(rig, 1, 128 * n);
  rig.run();
  const auto& shots = rig.drivers[0]->shots;
  EXPECT_EQ(shots.back().left, shots.front().left + 15 * 8);
  EXPECT_EQ(rig.count("memory.dram_bytes_read"), 16u * 128);
}

TEST(CachedMemory, SliceBandwidthIsTheClosedForm) {
  // The first two lines of every 512 bytes belong to slice 0 of the L2, so all loads hit in one slice. A hit
  // moves 128 bytes at 32 bytes per cycle, which takes 4 cycles.
  MemoryRig rig(options());
  rig.fill_words(65536);
  for (unsigned n = 0; n < 8; ++n) load(rig, 1, 512 * n);
  for (unsigned n = 0; n < 8; ++n) load(rig, 2000, 512 * n);
  rig.run();
  const auto& shots = rig.drivers[0]->shots;
  EXPECT_EQ(time_of(shots[8]), 120u - 6);
  EXPECT_EQ(shots[15].left, shots[8].left + 7 * 4);
}

TEST(CachedMemory, AnSmReceivesItsBytesACycle) {
  MemoryRig rig(options(R"("sm_bytes_per_cycle": 16,)"));
  rig.fill_words(65536);
  for (unsigned n = 0; n < 8; ++n) load(rig, 1, 256 * n);
  for (unsigned n = 0; n < 8; ++n) load(rig, 2000, 256 * n);
  rig.run();
  const auto& shots = rig.drivers[0]->shots;
  EXPECT_EQ(time_of(shots[8]), 120u - 6);
  EXPECT_EQ(shots[15].left, shots[8].left + 7 * 8) << "lines of two slices, 128 bytes at 16 a cycle";
}

TEST(CachedMemory, WriteThatAllocatesFetchesNothing) {
  MemoryRig rig(options(R"("write_miss": "allocate",)"));
  rig.fill_words(65536);
  store(rig, 1, 256, 8, 2000);
  Shot& holes = load(rig, 1000, 256);
  rig.run();
  EXPECT_EQ(rig.count("memory.dram_reads"), 0u);
  for (int i = 0; i < kLanes; ++i) {
    const auto n = static_cast<unsigned>(i);
    EXPECT_EQ(holes.results[0][0][i], n % 2 ? 64 + n : 2000 + n / 2);
    EXPECT_EQ(rig.word(kData + 256 + 8 * n), 2000 + n);
  }
}

TEST(CachedMemory, CopiesOfTheHostAreHeld) {
  MemoryRig rig(options(R"("holds_copies": true,)"));
  rig.fill_words(65536);
  Shot& hit = load(rig, 1, 0);
  rig.run();
  EXPECT_EQ(time_of(hit), 120u - 6);
  EXPECT_EQ(hit.results[0][0][7], 7u);
}

TEST(CachedMemory, WritesStayUntilTheyAreDrainedOrEvicted) {
  MemoryRig rig(options());
  rig.fill_words(65536);
  store(rig, 1, 0, 4, 1000);
  store(rig, 2, 256, 8, 2000);
  std::uint32_t image_word = 1, seen_word = 0;
  rig.at(1000, [&] {
    image_word = rig.word(kData);
    EXPECT_TRUE(rig.units[0]->read_debug(kData, &seen_word, 4));
  });
  Shot& back = load(rig, 2000, 0);
  Shot& holes = load(rig, 2001, 256);
  rig.run();
  EXPECT_EQ(image_word, 0u);
  EXPECT_EQ(seen_word, 1000u);
  EXPECT_EQ(rig.count("memory.dram_reads"), 2u);
  for (int i = 0; i < kLanes; ++i) {
    const auto n = static_cast<unsigned>(i);
    EXPECT_EQ(back.results[0][0][i], 1000 + n);
    EXPECT_EQ(holes.results[0][0][i], n % 2 ? 64 + n : 2000 + n / 2);
    EXPECT_EQ(rig.word(kData + 4 * n), 1000 + n);
    EXPECT_EQ(rig.word(kData + 256 + 8 * n), 2000 + n);
    EXPECT_EQ(rig.word(kData + 260 + 8 * n), 64 + 2 * n + 1);
  }
}

TEST(CachedMemory, EvictedLinesAreWrittenBack) {
  // The L2 has 16 lines and one way. 40 lines are written one after the other, which evicts 24 of them; a
  // read of the first line evicts one more. All 25 must be written back.
  RigOptions o = options();
  o.memory =
      R"({"type": "cached", "l2": {"slices": 1, "bytes": 2048, "ways": 1, "interleave_bytes": 128}, "dram": {"channels": 1}})";
  MemoryRig rig(o);
  rig.fill_words(65536);
  for (unsigned n = 0; n < 40; ++n) store(rig, 1, 128 * n, 4, 100 * n);
  Shot& first = load(rig, 4000, 0);
  rig.run();
  EXPECT_EQ(first.results[0][0][3], 3u);
  for (unsigned n = 0; n < 40; ++n) EXPECT_EQ(rig.word(kData + 128 * n + 12), 100 * n + 3);
  EXPECT_EQ(rig.count("memory.l2_write_backs"), 25u);
  EXPECT_EQ(rig.count("memory.dram_bytes_written"), 25u * 128);
}

TEST(CachedMemory, FlippedBitOfALineIsSeen) {
  MemoryRig rig(options());
  rig.fill_words(65536);
  load(rig, 1, 0);
  Shot& again = load(rig, 2000, 0);
  rig.at(1000, [&] { EXPECT_TRUE(rig.memory->flip_bit(kData, 5)); });
  rig.run();
  EXPECT_EQ(again.results[0][0][0], 32u);
  EXPECT_EQ(rig.word(kData), 0u);
}

TEST(CachedMemory, NewKernelSeesWhatTheHostWrote) {
  MemoryRig rig(options());
  rig.fill_words(65536);
  load(rig, 1, 0);
  rig.run();
  *rig.image.find(kData, 1) = 200;
  rig.drivers[0]->shots.clear();
  Shot& after = load(rig, 10, 0);
  rig.restart();
  rig.run();
  EXPECT_EQ(after.results[0][0][0], 200u);
  EXPECT_EQ(rig.count("memory.l2_hits"), 1u);
}

// The L2 receives a list of the lines that untimed CTAs have used. Afterwards, the L2 must hold these lines,
// and the lines that timed requests have used since the previous list.
TEST(CachedMemory, HoldsTheLinesGivenAndThoseUsedSince) {
  MemoryRig rig(options());
  rig.fill_words(65536);
  const auto hits_of = [&rig](std::initializer_list<std::uint64_t> offsets) {
    const std::uint64_t before = rig.count("memory.l2_hits");
    rig.drivers[0]->shots.clear();
    for (const std::uint64_t offset : offsets) load(rig, 10, offset);
    rig.restart();
    rig.run();
    return rig.count("memory.l2_hits") - before;
  };
  store(rig, 1, 0, 4, 500);
  rig.run();
  rig.memory->hold({kData + 4096});
  EXPECT_EQ(hits_of({0, 4096}), 2u) << "line 0 has been used since the beginning";
  rig.memory->hold({kData + 8192});
  rig.memory->hold({kData + 12288});
  EXPECT_EQ(rig.word(kData + 4), 501u) << "what was written has gone to the image";
  EXPECT_EQ(hits_of({0, 4096, 8192, 12288}), 1u);
}

// hold() gets two lists. The L2 must hold the lines in the first list. If timed requests have used a line
// since the previous call of hold(), the L2 must keep this line only if it is in the second list. Written
// lines must stay dirty.
TEST(CachedMemory, HoldsOfThoseUsedSinceTheOnesNamed) {
  MemoryRig rig(options());
  rig.fill_words(65536);
  store(rig, 1, 0, 4, 500);
  load(rig, 1, 4096);
  rig.run();
  rig.memory->hold({kData + 8192}, {kData, kData + 12288});
  const std::uint64_t before = rig.count("memory.l2_hits");
  rig.drivers[0]->shots.clear();
  for (const std::uint64_t offset : {0, 4096, 8192, 12288}) load(rig, 10, static_cast<std::uint64_t>(offset));
  rig.restart();
  rig.run();
  EXPECT_EQ(rig.count("memory.l2_hits") - before, 2u) << "lines 0 and 8192";
  EXPECT_EQ(rig.word(kData + 4), 501u);
}

// Untimed CTAs have written two sectors, whose values are already in memory. The timed write-back of these
// sectors must still happen and take time.
TEST(CachedMemory, SectorsWrittenWithoutTimeAreWrittenBack) {
  MemoryRig rig(options());
  rig.fill_words(131072);
  constexpr std::uint64_t kSameSet = 16384;
  rig.memory->hold({kData | 0b0101});
  for (std::uint64_t way = 1; way <= 4; ++way) load(rig, way, way * kSameSet);
  rig.run();
  EXPECT_EQ(rig.count("memory.l2_write_backs"), 1u);
  EXPECT_EQ(rig.count("memory.dram_bytes_written"), 64u);
}

TEST(CachedMemory, KernelThatBeginsBesideAnotherKeepsItsWrites) {
  MemoryRig rig(options());
  rig.fill_words(65536);
  store(rig, 1, 0, 8, 2000);
  rig.at(1000, [&] {
    *rig.image.find(kData + 4, 1) = 250;
    rig.memory->begin_kernel();
  });
  Shot& after = load(rig, 2000, 0);
  rig.run();
  EXPECT_EQ(after.results[0][0][0], 2000u);
  EXPECT_EQ(after.results[0][0][1], 250u);
}

TEST(CachedMemory, ImpossibleShapesAreRefused) {
  for (const char* bad :
       {R"({"type": "cached", "l2": {"bytes": 786433}})", R"({"type": "cached", "dram": {"channels": 5}})",
        R"({"type": "cached", "l2": {"interleave_bytes": 200}})"}) {
    RigOptions o = options();
    o.memory = bad;
    o.name = bad;
    for (char& c : o.name)
      if (!isalnum(c)) c = '_';
    EXPECT_THROW(MemoryRig rig(o), Error) << bad;
  }
}

}  // namespace
}  // namespace heddle::test
