// Sends random traffic of several SMs to memory. Values must equal those of a simple in-order model, and
// counters must add up. Values and counters must be right whether or not the clock sleeps in idle cycles, and
// for any construction order of the modules.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "memory_rig.h"

namespace heddle::test::traffic_test {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;

constexpr int kSms = 3, kWarps = 4, kShots = 60;
constexpr std::uint64_t kAreaBytes = 8192;
constexpr std::uint64_t kCounters = isa::kModuleGlobals;

class Traffic {
 public:
  Traffic(MemoryRig& rig, unsigned seed) : rig_(&rig), random_(seed) {
    rig.fill_words(kSms * kWarps * kAreaBytes);
    rig.image.allocate_at("counters", kCounters, 256);
    expected_ = rig.image;
    std::vector<Cycle> at(kSms * 2);
    for (int n = 0; n < kShots; ++n)
      for (int sm = 0; sm < kSms; ++sm)
        for (int warp = 0; warp < kWarps; ++warp) {
          Cycle& cycle = at[static_cast<std::size_t>(sm * 2 + warp % 2)];
          cycle += random_() % 3 == 0 ? random_() % (random_() % 8 == 0 ? 700 : 6) : 0;
          shoot(cycle, sm, warp);
        }
  }

  void check() const {
    for (const auto& [shot, words] : loads_)
      for (int i = 0; i < kLanes; ++i) {
        if ((shot->item.mask >> i) & 1u) {
          ASSERT_EQ(shot->results[0][0][i], words[i]) << "arrival " << shot->arrival << " lane " << i;
        }
      }
    for (const auto& a : expected_.allocations())
      EXPECT_EQ(std::memcmp(a->data.data(), rig_->image.find(a->base, a->bytes), a->bytes), 0) << a->name;
  }

 private:
  void shoot(Cycle cycle, int sm, int warp) {
    static const DataType types[] = {DataType::u8, DataType::u16, DataType::u32, DataType::u32};
    Form form;
    if (random_() % 12 == 0) {
      const Form fence{.op = Opcode::membar, .scope = random_() % 2 ? isa::Scope::cta : isa::Scope::gpu};
      rig_->shoot(cycle, fence, sm, warp).partition = warp % 2;
      return;
    }
    const unsigned kind = random_() % 8;
    form.op = kind < 4 ? Opcode::ld : kind < 7 ? Opcode::st : random_() % 2 ? Opcode::red : Opcode::atom;
    const bool atomic = form.op == Opcode::red || form.op == Opcode::atom;
    form.type = atomic ? DataType::u32 : types[random_() % 4];
    if (atomic) form.atomic = isa::AtomicOp::add;
    if (form.op == Opcode::ld && random_() % 4 == 0) form.cache = isa::CacheOp::cg;
    // Some loads read words that atomics change. The values of these loads depend on the order of the SMs, so
    // the test does not compare these values.
    const bool counters = atomic || (form.op == Opcode::ld && random_() % 4 == 0);
    if (random_() % 12 == 0) {
      form.ordering = form.op == Opcode::ld ? isa::Ordering::acquire : isa::Ordering::release;
      form.scope = random_() % 2 ? isa::Scope::cta : isa::Scope::gpu;
    }
    const unsigned bytes = static_cast<unsigned>(isa::bits_of(form.type)) / 8;
    const LaneMask mask = random_() % 3 ? kAllLanes : static_cast<LaneMask>(random_() | 1);
    Shot& shot = rig_->shoot(cycle, form, sm, warp, mask);
    shot.partition = warp % 2;
    const std::uint64_t area = kData + static_cast<unsigned>(sm * kWarps + warp) * kAreaBytes;
    const std::uint64_t base = random_() % (kAreaBytes / 2) / 128 * 128;
    const std::uint64_t stride = bytes * (random_() % 2 ? 1 : random_() % 20);
    const bool scattered = random_() % 4 == 0;
    LaneVec words{};
    for (int i = 0; i < kLanes; ++i) {
      std::uint64_t address = area + base + static_cast<unsigned>(i) * stride;
      if (scattered) address = area + random_() % kAreaBytes / bytes * bytes;
      if (counters) address = kCounters + random_() % 64 * 4;
      const auto value = static_cast<std::uint32_t>(random_());
      MemoryRig::set_address(shot, i, address);
      if (form.op != Opcode::ld) MemoryRig::set_source(shot, 1, i, value);
      if (!((mask >> i) & 1u)) continue;
      std::uint8_t* at = expected_.find(address, bytes);
      if (form.op == Opcode::ld) std::memcpy(&words.lane[i], at, bytes);
      if (form.op == Opcode::st) std::memcpy(at, &value, bytes);
      if (atomic) {
        std::uint32_t sum;
        std::memcpy(&sum, at, 4);
        sum += value;
        std::memcpy(at, &sum, 4);
      }
    }
    if (form.op == Opcode::ld && !counters) loads_.emplace_back(&shot, words);
  }

  MemoryRig* rig_;
  std::mt19937 random_;
  MemoryImage expected_;
  std::vector<std::pair<const Shot*, LaneVec>> loads_;
};

RigOptions options(const std::string& memory) {
  RigOptions o;
  o.sms = kSms;
  o.partitions = 2;
  o.pipeline_overhead_cycles = 5;
  // The queue has room for all instructions, so the driver never keeps the clock awake in order to try again.
  // Only the modules keep the clock awake.
  o.load_store.input_queue_instructions = kShots * kWarps;
  o.load_store.l1.bytes = 2048;
  o.load_store.l1.ways = 2;
  o.load_store.l1.mshrs = 6;
  o.load_store.l1.mshr_merges = 2;
  o.load_store.outstanding_requests = 20;
  o.load_store.memory_queue_requests = 2;
  o.load_store.global_queue_instructions = 2;
  o.atomics.lines = 2;
  o.atomics.input_queue_requests = 2;
  o.memory = memory;
  return o;
}

const char* const kFixed = R"({"type": "fixed-latency", "latency_cycles": 90, "bytes_per_cycle_per_sm": 20})";
const char* const kCached =
    R"({"type": "cached", "l2": {"slices": 3, "bytes": 12288, "ways": 2, "latency_cycles": 60, "mshrs": 4,
        "mshr_merges": 3, "queue_requests": 2, "bytes_per_cycle": 40},
        "dram": {"channels": 1, "latency_cycles": 70, "bytes_per_cycle": 30, "queue_requests": 3}})";

void expect_equal(const MemoryRig& a, const MemoryRig& b) {
  const auto values_a = a.stats.snapshot(), values_b = b.stats.snapshot();
  for (const auto& info : a.stats.counters())
    EXPECT_EQ(info.counter->value(), b.count(info.full_name())) << info.full_name();
  for (std::size_t sm = 0; sm < a.drivers.size(); ++sm) {
    const auto &x = a.drivers[sm]->shots, &y = b.drivers[sm]->shots;
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(x[i].left, y[i].left) << "SM " << sm << " shot " << i;
      ASSERT_EQ(x[i].entered, y[i].entered) << "SM " << sm << " shot " << i;
    }
  }
}

void expect_conservation(const MemoryRig& rig) {
  const auto n = [&rig](const std::string& name) { return rig.count(name); };
  std::uint64_t requests = 0, merges = 0, hits = 0;
  for (int i = 0; i < kSms; ++i) {
    const std::string sm = "sm" + std::to_string(i) + ".";
    EXPECT_EQ(n(sm + "segments"),
              n(sm + "load_segments") + n(sm + "store_segments") + n(sm + "atomic_segments"));
    EXPECT_EQ(n(sm + "load_segments"), n(sm + "l1_accesses") + n(sm + "l1_bypasses"));
    EXPECT_EQ(n(sm + "l1_accesses"), n(sm + "l1_hits") + n(sm + "l1_merges") + n(sm + "l1_misses"));
    EXPECT_EQ(n(sm + "memory_requests"), n(sm + "l1_misses") + n(sm + "l1_bypasses") +
                                             n(sm + "store_segments") + n(sm + "atomic_segments"));
    EXPECT_EQ(n(sm + "memory_requests"), n(sm + "memory_responses"));
    EXPECT_EQ(n(sm + "completed"), n(sm + "loads") + n(sm + "stores") + n(sm + "atomics") + n(sm + "fences"));
    merges += n(sm + "l1_merges");
    hits += n(sm + "l1_hits");
    requests += n(sm + "memory_requests");
  }
  EXPECT_GT(merges, 0u);
  EXPECT_GT(hits, 0u);
  EXPECT_EQ(n("atomics.requests"), requests);
  EXPECT_EQ(n("atomics.requests"), n("atomics.responses"));
  EXPECT_EQ(n("atomics.requests"),
            n("atomics.forwarded") + n("atomics.atomic_requests") + n("atomics.served_from_held"));
  EXPECT_EQ(n("memory.reads") + n("memory.writes"),
            n("atomics.forwarded") + n("atomics.line_reads") + n("atomics.line_writes"));
}

void run_two(RigOptions o, bool every_cycle, bool memory_first) {
  MemoryRig a(o);
  o.name = "other";
  o.every_cycle = every_cycle;
  o.memory_first = memory_first;
  MemoryRig b(o);
  const Traffic one(a, 7), two(b, 7);
  a.run(1000000);
  b.run(1000000);
  one.check();
  two.check();
  expect_equal(a, b);
  expect_conservation(a);
}

TEST(Traffic, FixedLatencyTickingEveryCycleIsTheSame) { run_two(options(kFixed), true, true); }
TEST(Traffic, CachedTickingEveryCycleIsTheSame) { run_two(options(kCached), true, true); }
TEST(Traffic, QueuesOfOneTickingEveryCycleIsTheSame) {
  RigOptions o = options(kCached);
  o.load_store.memory_queue_requests = o.load_store.global_queue_instructions = 1;
  o.load_store.output_queue_instructions = 1;
  run_two(o, true, true);
}
TEST(Traffic, MemoryWithAClockOfItsOwnIsTheSame) {
  RigOptions o = options(kCached);
  o.memory_period_ns = 3;
  o.load_store.memory_queue_requests = 1;
  run_two(o, true, false);
}
TEST(Traffic, FixedLatencyInOtherOrderOfConstruction) { run_two(options(kFixed), false, false); }
TEST(Traffic, CachedInOtherOrderOfConstruction) { run_two(options(kCached), false, false); }

TEST(Traffic, CachedConserves) {
  MemoryRig rig(options(kCached));
  const Traffic traffic(rig, 11);
  rig.run(1000000);
  traffic.check();
  expect_conservation(rig);
  const auto n = [&rig](const std::string& name) { return rig.count("memory." + name); };
  EXPECT_EQ(n("requests"), n("l2_hits") + n("l2_misses") + n("l2_merges"));
  EXPECT_EQ(n("requests"), n("reads") + n("writes"));
  EXPECT_EQ(n("dram_reads"), n("l2_misses"));
  EXPECT_EQ(n("dram_bytes_read"), 128 * n("l2_misses"));
  EXPECT_GT(n("l2_write_backs"), 0u);
  EXPECT_GE(n("l2_evictions"), n("l2_write_backs"));
}

TEST(Traffic, LateResultBusLosesNothing) {
  RigOptions o = options(kFixed);
  o.load_store.input_queue_instructions = 2;
  MemoryRig rig(o);
  const Traffic traffic(rig, 3);
  for (auto& driver : rig.drivers) driver->collect_from = 5000;
  rig.run(1000000);
  traffic.check();
}

}  // namespace
}  // namespace heddle::test::traffic_test
