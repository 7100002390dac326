// Compares latencies and throughput of the load/store unit with formulas.

#include <gtest/gtest.h>

#include "memory_rig.h"

namespace heddle::test::latency_test {
namespace {

constexpr Form kLoad{};

RigOptions options() {
  RigOptions o;
  o.pipeline_overhead_cycles = 8;
  o.load_store.shared.latency_cycles = 26;
  o.load_store.constant.latency_cycles = 20;
  o.load_store.l1.latency_cycles = 30;
  return o;
}

Cycle time_of(const Shot& shot) { return shot.left - shot.entered; }

TEST(Latency, ConfiguredFiguresAreIssueToDependentIssue) {
  RigOptions o = options();
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 400})";
  MemoryRig rig(o);
  rig.fill_words(4096);
  rig.launch.parameters.resize(64);
  Shot& shared = rig.shoot(10, {.space = isa::Space::shared});
  MemoryRig::set_addresses(shared, isa::kSharedWindow, 4);
  Shot& param = rig.shoot(100, {.space = isa::Space::param});
  MemoryRig::set_addresses(param, isa::kParamWindow + 8, 0);
  Shot& miss = rig.shoot(200, kLoad);
  MemoryRig::set_addresses(miss, kData + 128, 4);
  Shot& hit = rig.shoot(2000, kLoad);
  MemoryRig::set_addresses(hit, kData + 128, 4);
  rig.run();
  EXPECT_EQ(time_of(shared), 26u - 8u);
  EXPECT_EQ(time_of(param), 20u - 8u);
  EXPECT_EQ(time_of(miss), 400u - 8u);
  EXPECT_EQ(time_of(hit), 30u - 8u);
  for (int i = 0; i < kLanes; ++i) EXPECT_EQ(hit.results[0][0][i], 32u + static_cast<unsigned>(i));
}

TEST(Latency, LatencyShorterThanThePipelineIsRefused) {
  RigOptions o = options();
  o.load_store.shared.latency_cycles = 8;
  EXPECT_THROW(MemoryRig rig(o), Error);
}

TEST(Latency, ShortestPossibleLatency) {
  RigOptions o = options();
  o.load_store.shared.latency_cycles = 9;
  MemoryRig rig(o);
  Shot& shot = rig.shoot(10, {.space = isa::Space::shared});
  MemoryRig::set_addresses(shot, isa::kSharedWindow, 4);
  rig.run();
  EXPECT_EQ(time_of(shot), 1u);
}

TEST(Latency, SharedConflictsOfDegreeNTakeNPasses) {
  RigOptions o = options();
  o.shared_bytes = 32768;
  MemoryRig rig(o);
  const unsigned degrees[] = {1, 2, 4, 8, 16, 32};
  for (unsigned n = 0; n < 6; ++n) {
    MemoryRig::set_addresses(rig.shoot(100 + 100 * n, {.space = isa::Space::shared}), isa::kSharedWindow,
                             4 * degrees[n]);
    MemoryRig::set_addresses(rig.shoot(101 + 100 * n, {.space = isa::Space::shared}), isa::kSharedWindow, 4);
  }
  rig.run();
  for (unsigned n = 0; n < 6; ++n) {
    const Shot &first = rig.drivers[0]->shots[2 * n], &second = rig.drivers[0]->shots[2 * n + 1];
    EXPECT_EQ(time_of(first), 18 + degrees[n] - 1);
    // The second access waits until the shared memory banks are free.
    EXPECT_EQ(second.left, first.entered + degrees[n] + 18) << "degree " << degrees[n];
  }
  EXPECT_EQ(rig.count("sm0.shared_accesses"), 12u);
  EXPECT_EQ(rig.count("sm0.shared_passes"), 63u + 6);
  EXPECT_EQ(rig.count("sm0.shared_conflict_cycles"), 63u - 6);
}

TEST(Latency, MemoryBandwidthIsTheClosedForm) {
  // 40 loads of one line of 128 bytes each. At 32 bytes per cycle, line n arrives 4 n cycles after the first
  // line.
  RigOptions o = options();
  o.load_store.l1.enabled = false;
  o.load_store.outstanding_requests = 64;
  o.load_store.memory_queue_requests = 64;
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100, "bytes_per_cycle_per_sm": 32})";
  MemoryRig rig(o);
  rig.fill_words(128 * 40);
  for (unsigned n = 0; n < 40; ++n) MemoryRig::set_addresses(rig.shoot(10, kLoad), kData + 128 * n, 4);
  rig.run();
  const auto& shots = rig.drivers[0]->shots;
  for (unsigned n = 0; n < 40; ++n) EXPECT_EQ(shots[n].left, shots[0].left + 4 * n);
  EXPECT_EQ(time_of(shots[0]), 92u);
  EXPECT_EQ(rig.count("memory.bytes_read"), 128u * 40);
}

TEST(Latency, TotalBandwidthIsSharedBySms) {
  RigOptions o = options();
  o.sms = 2;
  o.load_store.l1.enabled = false;
  o.memory =
      R"({"type": "fixed-latency", "latency_cycles": 100, "bytes_per_cycle_per_sm": 0, "bytes_per_cycle": 64})";
  MemoryRig rig(o);
  rig.fill_words(128 * 64);
  for (int sm = 0; sm < 2; ++sm)
    for (unsigned n = 0; n < 32; ++n) MemoryRig::set_addresses(rig.shoot(10, kLoad, sm), kData + 128 * n, 4);
  rig.run();
  // 64 lines of 128 bytes take 2 cycles each at 64 bytes per cycle, so the last load leaves the units 126
  // cycles after the first.
  const auto& a = rig.drivers[0]->shots;
  const auto& b = rig.drivers[1]->shots;
  EXPECT_EQ(std::max(a.back().left, b.back().left), std::min(a.front().left, b.front().left) + 126);
}

TEST(Latency, OneSegmentACycle) {
  // One instruction accesses 32 lines. The last segment of the instruction is sent 31 cycles after the first
  // segment.
  RigOptions o = options();
  o.load_store.l1.enabled = false;
  o.load_store.outstanding_requests = 64;
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100, "bytes_per_cycle_per_sm": 0})";
  MemoryRig rig(o);
  rig.fill_words(128 * 64);
  Shot& shot = rig.shoot(10, kLoad);
  MemoryRig::set_addresses(shot, kData, 128);
  rig.run();
  EXPECT_EQ(time_of(shot), 92u + 31u);
  EXPECT_EQ(rig.count("sm0.segments"), 32u);
  EXPECT_EQ(rig.count("sm0.memory_bytes_read"), 32u * 32);
}

TEST(Latency, StoresLeaveWhenSent) {
  RigOptions o = options();
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100})";
  MemoryRig rig(o);
  rig.fill_words(4096);
  Shot& shot = rig.shoot(10, {.op = isa::Opcode::st});
  MemoryRig::set_addresses(shot, kData, 8);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(shot, 1, i, 1000u + static_cast<unsigned>(i));
  Shot& fence = rig.shoot(11, {.op = isa::Opcode::membar, .scope = isa::Scope::gpu});
  rig.run();
  EXPECT_EQ(time_of(shot), 2u);
  // The fence waits for the second segment, which is sent one cycle after the first. The 124 bytes of the
  // first segment occupy the channel for 3.875 cycles, so the second segment starts in the channel three
  // cycles after the first.
  EXPECT_EQ(fence.left, shot.entered + 3 + 92);
  for (int i = 0; i < kLanes; ++i) {
    EXPECT_EQ(rig.word(kData + static_cast<unsigned>(i) * 8), 1000u + static_cast<unsigned>(i));
    EXPECT_EQ(rig.word(kData + static_cast<unsigned>(i) * 8 + 4), 2u * static_cast<unsigned>(i) + 1);
  }
}

TEST(Latency, FenceOfACtaWaitsUntilAllIsSent) {
  RigOptions o = options();
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100})";
  MemoryRig rig(o);
  rig.fill_words(8192);
  Shot& shot = rig.shoot(10, {.op = isa::Opcode::st});
  MemoryRig::set_addresses(shot, kData, 128);
  Shot& fence = rig.shoot(11, {.op = isa::Opcode::membar, .scope = isa::Scope::cta});
  Shot& held_back = rig.shoot(12, {.space = isa::Space::shared});
  MemoryRig::set_addresses(held_back, isa::kSharedWindow, 4);
  Shot& other_warp = rig.shoot(12, {.space = isa::Space::shared}, 0, 1);
  MemoryRig::set_addresses(other_warp, isa::kSharedWindow, 4);
  other_warp.partition = 0;
  rig.run();
  EXPECT_EQ(time_of(shot), 32u);
  EXPECT_EQ(fence.left, shot.left + 1);
  EXPECT_EQ(held_back.left, fence.left - 1 + 18);
}

TEST(Latency, FenceAfterHitsDoesNotSleep) {
  RigOptions o = options();
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100})";
  MemoryRig rig(o);
  rig.fill_words(8192);
  MemoryRig::set_addresses(rig.shoot(10, {}), kData, 128);
  Shot& hits = rig.shoot(1000, {});
  MemoryRig::set_addresses(hits, kData, 128);
  Shot& fence = rig.shoot(1001, {.op = isa::Opcode::membar, .scope = isa::Scope::gpu});
  rig.run();
  EXPECT_EQ(time_of(hits), 22u + 31);
  EXPECT_EQ(fence.left, hits.entered + 31 + 2);
}

TEST(Latency, ReleaseWaitsForEarlierWrites) {
  RigOptions o = options();
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100, "bytes_per_cycle_per_sm": 0})";
  MemoryRig rig(o);
  rig.fill_words(8192);
  Shot& data = rig.shoot(10, {.op = isa::Opcode::st});
  MemoryRig::set_addresses(data, kData, 4);
  Shot& flag =
      rig.shoot(11, {.op = isa::Opcode::st, .ordering = isa::Ordering::release, .scope = isa::Scope::gpu});
  MemoryRig::set_addresses(flag, kData + 128, 4);
  rig.run();
  EXPECT_EQ(time_of(data), 1u);
  // The release store waits for the acknowledgement of the earlier store. A load that enters together with
  // the earlier store would leave after 92 cycles. The acknowledgement reaches the unit one cycle earlier,
  // and the release store leaves one cycle after the acknowledgement.
  EXPECT_EQ(flag.left, data.entered + 92);
}

TEST(Latency, NothingToDoLeavesAtOnce) {
  MemoryRig rig(options());
  rig.fill_words(128);
  Shot& prefetch = rig.shoot(10, {.op = isa::Opcode::prefetch});
  Shot& no_lanes = rig.shoot(20, {}, 0, 0, 0);
  rig.run();
  EXPECT_EQ(time_of(prefetch), 1u);
  EXPECT_EQ(time_of(no_lanes), 1u);
  EXPECT_EQ(rig.count("sm0.prefetches"), 1u);
}

TEST(Latency, AddressGenerationLimitsAPartition) {
  RigOptions o = options();
  o.load_store.lanes_per_cycle = 8;
  MemoryRig rig(o);
  for (int n = 0; n < 8; ++n)
    MemoryRig::set_addresses(rig.shoot(10, {.space = isa::Space::shared}), isa::kSharedWindow, 4);
  rig.run();
  const auto& shots = rig.drivers[0]->shots;
  for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(shots[n].left, shots[0].left + 4 * n);
}

}  // namespace
}  // namespace heddle::test::latency_test
