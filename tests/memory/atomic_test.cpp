// Tests atomic operations: values, order between SMs and lanes, contention, and order with plain accesses.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "memory_rig.h"

namespace heddle::test {
namespace {

using isa::AtomicOp;
using isa::Opcode;
using isa::Space;

RigOptions options(int sms) {
  RigOptions o;
  o.sms = sms;
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100, "bytes_per_cycle_per_sm": 0})";
  return o;
}

constexpr Form kAdd{.op = Opcode::atom, .atomic = AtomicOp::add};

Shot& add(MemoryRig& rig, Cycle arrival, int sm, int warp, std::uint64_t base, std::uint64_t stride,
          Form form = kAdd) {
  Shot& shot = rig.shoot(arrival, form, sm, warp);
  MemoryRig::set_addresses(shot, base, stride);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(shot, 1, i, 1);
  return shot;
}

TEST(Atomics, LanesInAscendingOrderSmsByIndex) {
  MemoryRig rig(options(2));
  rig.fill_words(128);
  Shot& b = add(rig, 1, 1, 0, kData + 4, 0);
  Shot& a = add(rig, 1, 0, 0, kData + 4, 0);
  rig.run();
  for (int i = 0; i < kLanes; ++i) {
    EXPECT_EQ(a.results[0][0][i], 1u + static_cast<unsigned>(i));
    EXPECT_EQ(b.results[0][0][i], 33u + static_cast<unsigned>(i));
  }
  EXPECT_EQ(rig.word(kData + 4), 65u);
  EXPECT_EQ(rig.count("atomics.atomic_lanes"), 64u);
  EXPECT_EQ(rig.count("atomics.address_conflicts"), 62u);
}

TEST(Atomics, ContentionCostsTheIntervalNotATrip) {
  // 20 requests access different words of one line. The line must be fetched once, and then one request must
  // be served every line_interval_cycles.
  RigOptions o = options(2);
  o.atomics.line_interval_cycles = 3;
  MemoryRig rig(o);
  rig.fill_words(128);
  for (int n = 0; n < 10; ++n)
    for (int sm = 0; sm < 2; ++sm) add(rig, 1, sm, n, kData, 4);
  rig.run();
  std::vector<Cycle> left;
  for (int sm = 0; sm < 2; ++sm)
    for (const Shot& s : rig.drivers[static_cast<std::size_t>(sm)]->shots) left.push_back(s.left);
  std::sort(left.begin(), left.end());
  for (std::size_t n = 1; n < left.size(); ++n) EXPECT_EQ(left[n], left[0] + 3 * n);
  EXPECT_EQ(rig.count("atomics.line_reads"), 1u);
  EXPECT_EQ(rig.count("atomics.line_writes"), 1u);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(rig.word(kData + 4 * i), i + 20);
}

TEST(Atomics, OneRequestALine) {
  MemoryRig rig(options(1));
  rig.fill_words(4096);
  Shot& shot = add(rig, 1, 0, 0, kData, 64);
  rig.run();
  EXPECT_EQ(rig.count("sm0.atomic_segments"), 16u);
  EXPECT_EQ(rig.count("atomics.atomic_requests"), 16u);
  for (int i = 0; i < kLanes; ++i) EXPECT_EQ(shot.results[0][0][i], 16u * static_cast<unsigned>(i));
}

TEST(Atomics, PlainAccessesKeepTheirPlaceInTheOrder) {
  RigOptions o = options(1);
  o.load_store.l1.enabled = false;
  MemoryRig rig(o);
  rig.fill_words(128);
  Shot& put = rig.shoot(1, {.op = Opcode::st});
  MemoryRig::set_addresses(put, kData, 4);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(put, 1, i, 500);
  Shot& first = add(rig, 1, 0, 0, kData, 4);
  Shot& between = rig.shoot(1, {});
  MemoryRig::set_addresses(between, kData, 4);
  Shot& put_again = rig.shoot(1, {.op = Opcode::st});
  MemoryRig::set_addresses(put_again, kData, 4);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(put_again, 1, i, 900);
  Shot& second = add(rig, 1, 0, 0, kData, 4);
  Shot& after = rig.shoot(1, {});
  MemoryRig::set_addresses(after, kData, 4);
  rig.run();
  EXPECT_EQ(first.results[0][0][9], 500u);
  EXPECT_EQ(between.results[0][0][9], 501u);
  EXPECT_EQ(second.results[0][0][9], 900u);
  EXPECT_EQ(after.results[0][0][9], 901u);
  EXPECT_EQ(rig.word(kData + 36), 901u);
  EXPECT_EQ(rig.count("atomics.requests"), rig.count("atomics.responses"));
  EXPECT_EQ(rig.count("atomics.requests"), rig.count("atomics.forwarded") +
                                               rig.count("atomics.atomic_requests") +
                                               rig.count("atomics.served_from_held"));
}

TEST(Atomics, ReductionsArePostedAndFenced) {
  MemoryRig rig(options(1));
  rig.fill_words(128);
  Shot& red = add(rig, 1, 0, 0, kData, 4, {.op = Opcode::red, .atomic = AtomicOp::add});
  Shot& fence = rig.shoot(2, {.op = Opcode::membar, .scope = isa::Scope::sys});
  rig.run();
  EXPECT_EQ(red.left - red.entered, 1u);
  EXPECT_GE(fence.left, red.entered + 100);
  EXPECT_EQ(rig.word(kData), 1u);
}

TEST(Atomics, CompareAndSwapOf64Bits) {
  MemoryRig rig(options(1));
  rig.fill_words(4096);
  Shot& cas = rig.shoot(
      1, {.op = Opcode::atom, .type = isa::DataType::b64, .register_bits = 64, .atomic = AtomicOp::cas});
  MemoryRig::set_addresses(cas, kData, 8);
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t words = 2 * static_cast<unsigned>(i) | std::uint64_t{2 * static_cast<unsigned>(i) + 1}
                                                                   << 32;
    MemoryRig::set_source(cas, 1, i, i % 2 ? words : 0xffff);
    MemoryRig::set_source(cas, 2, i, 0xabcd'0000'1234ull);
  }
  rig.run();
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(cas.results[0][0][static_cast<int>(i)], 2 * i);
    EXPECT_EQ(cas.results[0][1][static_cast<int>(i)], 2 * i + 1);
    EXPECT_EQ(rig.word(kData + 8 * i), i % 2 ? 0x1234u : 2 * i);
    EXPECT_EQ(rig.word(kData + 8 * i + 4), i % 2 ? 0xabcdu : 2 * i + 1);
  }
}

TEST(Atomics, OnSharedMemory) {
  RigOptions o = options(1);
  o.load_store.shared.latency_cycles = 20;
  o.load_store.shared.atomic_pass_cycles = 2;
  MemoryRig rig(o);
  Shot& put = rig.shoot(1, {.op = Opcode::st, .space = Space::shared});
  MemoryRig::set_addresses(put, isa::kSharedWindow, 4);
  Shot& shot = add(rig, 100, 0, 0, isa::kSharedWindow + 8, 0,
                   {.op = Opcode::atom, .space = Space::shared, .atomic = AtomicOp::add});
  rig.run();
  for (int i = 0; i < kLanes; ++i) EXPECT_EQ(shot.results[0][0][i], static_cast<unsigned>(i));
  EXPECT_EQ(shot.left - shot.entered, 20u + 2 * 32 - 1);
}

TEST(Atomics, DropALineOfTheL1) {
  MemoryRig rig(options(1));
  rig.fill_words(128);
  MemoryRig::set_addresses(rig.shoot(1, {}), kData, 4);
  add(rig, 300, 0, 0, kData, 4);
  Shot& load = rig.shoot(600, {});
  MemoryRig::set_addresses(load, kData, 4);
  rig.run();
  EXPECT_EQ(load.results[0][0][3], 4u);
}

TEST(Atomics, NeedAUnit) {
  RigOptions o = options(1);
  o.atomic_unit = false;
  MemoryRig rig(o);
  rig.fill_words(128);
  add(rig, 1, 0, 0, kData, 4);
  EXPECT_THROW(rig.run(), Error);
}

}  // namespace
}  // namespace heddle::test
