// Tests the L1 cache: hits, misses, merged misses, capacity, bypassing accesses, and values in its lines.

#include <gtest/gtest.h>

#include <cstring>

#include "memory_rig.h"

namespace heddle::test::l1_test {
namespace {

using isa::Opcode;

RigOptions options() {
  RigOptions o;
  o.load_store.l1.latency_cycles = 20;
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100, "bytes_per_cycle_per_sm": 0})";
  return o;
}

Shot& load(MemoryRig& rig, Cycle arrival, std::uint64_t offset, Form form = {}) {
  Shot& shot = rig.shoot(arrival, form);
  MemoryRig::set_addresses(shot, kData + offset, 4);
  return shot;
}

Shot& store(MemoryRig& rig, Cycle arrival, std::uint64_t offset, std::uint32_t value,
            Form form = {.op = Opcode::st}) {
  Shot& shot = rig.shoot(arrival, form);
  MemoryRig::set_addresses(shot, kData + offset, 4);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(shot, 1, i, value);
  return shot;
}

std::uint32_t first_lane(const Shot& shot) { return shot.results[0][0][0]; }
Cycle time_of(const Shot& shot) { return shot.left - shot.entered; }

TEST(L1, MissThenMergeThenHit) {
  MemoryRig rig(options());
  rig.fill_words(4096);
  Shot& miss = load(rig, 1, 0);
  Shot& merge = load(rig, 50, 0);
  Shot& hit = load(rig, 200, 0);
  rig.run();
  EXPECT_EQ(time_of(miss), 100u);
  EXPECT_EQ(merge.left, miss.left);
  EXPECT_EQ(time_of(hit), 20u);
  EXPECT_EQ(rig.count("sm0.l1_accesses"), 3u);
  EXPECT_EQ(rig.count("sm0.l1_hits"), 1u);
  EXPECT_EQ(rig.count("sm0.l1_merges"), 1u);
  EXPECT_EQ(rig.count("sm0.l1_misses"), 1u);
  EXPECT_EQ(rig.count("sm0.memory_requests"), 1u);
  EXPECT_EQ(rig.count("memory.reads"), 1u);
}

TEST(L1, LeastRecentlyUsedIsReplaced) {
  RigOptions o = options();
  o.load_store.l1.bytes = 1024;
  o.load_store.l1.ways = 2;
  MemoryRig rig(o);
  rig.fill_words(4096);
  load(rig, 1, 0);
  load(rig, 200, 4 * 128);
  load(rig, 400, 0);
  load(rig, 600, 8 * 128);
  Shot& kept = load(rig, 800, 0);
  Shot& gone = load(rig, 1000, 4 * 128);
  rig.run();
  EXPECT_EQ(time_of(kept), 20u);
  EXPECT_EQ(time_of(gone), 100u);
}

TEST(L1, StoreEvictsTheLineIfSetSo) {
  RigOptions o = options();
  o.load_store.l1.write_hit = "evict";
  MemoryRig rig(o);
  rig.fill_words(4096);
  load(rig, 1, 0);
  store(rig, 200, 0, 77);
  Shot& again = load(rig, 400, 0);
  rig.run();
  EXPECT_EQ(time_of(again), 100u);
  EXPECT_EQ(first_lane(again), 77u);
}

TEST(L1, RequestsTakeTheirBytesOfThePath) {
  RigOptions o = options();
  o.load_store.request_bytes_per_cycle = 40;
  MemoryRig rig(o);
  rig.fill_words(4096);
  store(rig, 1, 0, 1);
  Shot& load_after = load(rig, 1, 1024);
  rig.run();
  EXPECT_EQ(time_of(load_after), 100u + 3) << "8 + 128 bytes of the store take four cycles, not one";
}

TEST(L1, FullMissTableHoldsBack) {
  RigOptions o = options();
  o.load_store.l1.mshrs = 2;
  MemoryRig rig(o);
  rig.fill_words(4096);
  load(rig, 1, 0);
  load(rig, 1, 128);
  Shot& third = load(rig, 1, 256);
  rig.run();
  // Two MSHRs exist, so the third load can be sent only when the first line has arrived. That is one cycle
  // before the first load leaves the unit.
  const Shot& first = rig.drivers[0]->shots[0];
  EXPECT_EQ(third.left, first.left - 1 + 100);
  EXPECT_GT(rig.count("sm0.stall_mshr"), 90u);
}

TEST(L1, FullMergesHoldBack) {
  RigOptions o = options();
  o.load_store.l1.mshr_merges = 2;
  MemoryRig rig(o);
  rig.fill_words(4096);
  load(rig, 1, 0);
  load(rig, 2, 0);
  Shot& third = load(rig, 3, 0);
  rig.run();
  const Shot& first = rig.drivers[0]->shots[0];
  EXPECT_EQ(third.left, first.left - 1 + 20);
  EXPECT_EQ(rig.count("sm0.l1_misses"), 1u);
  EXPECT_GT(rig.count("sm0.stall_merges"), 80u);
}

TEST(L1, WritesGoThroughAndUpdateButDoNotAllocate) {
  MemoryRig rig(options());
  rig.fill_words(4096);
  store(rig, 1, 0, 77);
  Shot& miss = load(rig, 200, 0);
  store(rig, 400, 0, 88);
  Shot& hit = load(rig, 600, 0);
  rig.run();
  EXPECT_EQ(time_of(miss), 100u);
  EXPECT_EQ(first_lane(miss), 77u);
  EXPECT_EQ(time_of(hit), 20u);
  EXPECT_EQ(first_lane(hit), 88u);
  EXPECT_EQ(rig.word(kData), 88u);
  EXPECT_EQ(rig.count("sm0.l1_write_hits"), 1u);
}

TEST(L1, WriteDuringAMissIsNotLost) {
  // A store is sent while the line that it writes is outstanding. A load before the store must get the old
  // value, and loads after the store the new value.
  MemoryRig rig(options());
  rig.fill_words(4096);
  Shot& before = load(rig, 1, 0);
  store(rig, 10, 0, 99);
  Shot& after = load(rig, 20, 0);
  Shot& late = load(rig, 300, 0);
  rig.run();
  EXPECT_EQ(first_lane(before), 0u);
  EXPECT_EQ(first_lane(after), 99u);
  EXPECT_EQ(first_lane(late), 99u);
}

TEST(L1, WhatBypasses) {
  MemoryRig rig(options());
  rig.fill_words(4096);
  const Form forms[] = {{.cache = isa::CacheOp::cg},
                        {.cache = isa::CacheOp::cv},
                        {.ordering = isa::Ordering::volatile_},
                        {.ordering = isa::Ordering::relaxed, .scope = isa::Scope::gpu},
                        {.ordering = isa::Ordering::acquire, .scope = isa::Scope::gpu}};
  Cycle at = 1;
  for (const Form& form : forms) {
    load(rig, at, 0, form);
    at += 200;
  }
  rig.run();
  for (const Shot& shot : rig.drivers[0]->shots) EXPECT_EQ(time_of(shot), 100u);
  EXPECT_EQ(rig.count("sm0.l1_bypasses"), 5u);
  EXPECT_EQ(rig.count("sm0.l1_accesses"), 0u);
}

TEST(L1, GlobalMayBeKeptOutWhileNonCoherentStaysIn) {
  RigOptions o = options();
  o.load_store.l1.caches_global = false;
  MemoryRig rig(o);
  rig.fill_words(4096);
  load(rig, 1, 0);
  Shot& plain = load(rig, 200, 0);
  Shot& first = load(rig, 400, 0);
  Shot& second = load(rig, 600, 0);
  first.instruction.memory.non_coherent = second.instruction.memory.non_coherent = true;
  rig.run();
  EXPECT_EQ(time_of(plain), 100u);
  EXPECT_EQ(time_of(first), 100u);
  EXPECT_EQ(time_of(second), 20u);
}

TEST(L1, LinesHoldTheValues) {
  // Another SM writes to memory. Until a fence or the next kernel invalidates this SM's L1 line, the SM may
  // read the line's old value.
  RigOptions o = options();
  o.sms = 2;
  MemoryRig rig(o);
  rig.fill_words(4096);
  load(rig, 1, 0);
  Shot& other = rig.shoot(200, {.op = Opcode::st}, 1);
  MemoryRig::set_addresses(other, kData, 4);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(other, 1, i, 55);
  Shot& stale = load(rig, 400, 0);
  rig.shoot(500, {.op = Opcode::membar, .scope = isa::Scope::gpu});
  Shot& fresh = load(rig, 510, 0);
  rig.run();
  EXPECT_EQ(first_lane(stale), 0u);
  EXPECT_EQ(first_lane(fresh), 55u);
}

TEST(L1, FlippedBitIsSeen) {
  MemoryRig rig(options());
  rig.fill_words(4096);
  load(rig, 1, 128);
  Shot& hit = load(rig, 2000, 128);
  // At cycle 1000, between the two loads, the L1 contains the line. Flip a bit of the line then.
  rig.at(1000, [&] {
    EXPECT_TRUE(rig.units[0]->flip_l1_bit(kData + 128, 6));
    EXPECT_FALSE(rig.units[0]->flip_l1_bit(kData + 256, 6));
  });
  rig.run();
  EXPECT_EQ(first_lane(hit), 32u ^ 64u);
  EXPECT_EQ(rig.word(kData + 128), 32u);
}

TEST(L1, FlippedSharedBitIsSeen) {
  MemoryRig rig(options());
  Shot& put = rig.shoot(1, {.op = Opcode::st, .space = isa::Space::shared});
  MemoryRig::set_addresses(put, isa::kSharedWindow, 4);
  Shot& get = rig.shoot(2000, {.space = isa::Space::shared});
  MemoryRig::set_addresses(get, isa::kSharedWindow, 4);
  rig.at(1000, [&] { EXPECT_TRUE(rig.units[0]->flip_shared_bit(CtaSlot(0), 4, 3)); });
  rig.run();
  EXPECT_EQ(get.results[0][0][0], 0u);
  EXPECT_EQ(get.results[0][0][1], 8u);
}

TEST(L1, SizeThatIsNoWholeNumberOfSetsIsRefused) {
  RigOptions o = options();
  o.load_store.l1.bytes = 16384 + 128;
  EXPECT_THROW(MemoryRig rig(o), Error);
}

}  // namespace
}  // namespace heddle::test::l1_test
