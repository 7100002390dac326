// Tests the times of shared memory, constants, L1 and device memory: latencies from an instruction's issue to
// the issue of a dependent instruction, bank conflicts, bandwidth and misses.

#include <gtest/gtest.h>

#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

const std::string kLrr = "sm.scheduler=lrr";
// setting of a collector port that receives both words of a 64-bit address in one cycle
const std::string kWidePort = "sm.register_file.collector_operands_per_cycle=3";

std::string shared_addresses(int stride) {
  return "mov.u32 %r0, %tid.x;\nmov.u32 %r1, tile;\nmad.lo.u32 %r2, %r0, " + std::to_string(4 * stride) +
         ", %r1;\n";
}

Cycle shared_latency(const Machine& machine, int stride) {
  const Measured m = measure(machine.with(kLrr),
                             shared_addresses(stride) + "ld.shared.u32 %r3, [%r2];\nadd.u32 %r4, %r3, 1;");
  return m.first_at(4) - m.first_at(3);
}

// 32 banks of 4 bytes. If lanes access words with a stride of n (a power of two), n lanes access the same
// bank.
TEST(SharedMemory, ConflictsOfDegree) {
  const struct {
    int stride;
    Cycle gtx480, maxwell;
  } rows[] = {{0, 22, 23}, {1, 22, 23},  {2, 23, 24},  {4, 25, 26},
              {8, 29, 30}, {16, 37, 38}, {32, 53, 54}, {33, 22, 23}};
  for (const auto& row : rows) {
    EXPECT_EQ(shared_latency(on("fermi-gtx480"), row.stride), row.gtx480) << row.stride;
    EXPECT_EQ(shared_latency(on("maxwell-gtx980"), row.stride), row.maxwell) << row.stride;
    const std::string slow = "sm.load_store.shared.latency_cycles=60";
    EXPECT_EQ(shared_latency(on("fermi-gtx480").with(slow), row.stride), 60 + row.gtx480 - 22) << row.stride;
    EXPECT_EQ(shared_latency(on("maxwell-gtx980").with(slow), row.stride), 60 + row.maxwell - 23)
        << row.stride;
  }
}

// fermi-gebhart has 8 banks (Gebhart 2012, Table I), so an access of 32 neighbouring words takes 4 passes.
TEST(SharedMemory, EightBanks) {
  EXPECT_EQ(shared_latency(on("fermi-gebhart"), 0), 20u);
  EXPECT_EQ(shared_latency(on("fermi-gebhart"), 1), 23u);
  EXPECT_EQ(shared_latency(on("fermi-gebhart"), 2), 27u);
  EXPECT_EQ(shared_latency(on("fermi-gebhart"), 8), 51u);
}

// An access occupies the banks of shared memory for one cycle per pass. The last of 8 loads with n passes
// each therefore ends 7 n cycles after the first.
TEST(SharedMemory, LoadsInARow) {
  const auto span = [](const char* preset, int stride) {
    const Measured m =
        measure(on(preset).with(kLrr), shared_addresses(stride) + repeated(8, "ld.shared.u32 %r1@, [%r2];") +
                                           "add.u32 %r30, %r17, 1;");
    return m.first_at(11) - m.first_at(3);
  };
  EXPECT_EQ(span("fermi-gtx480", 1), 22u + 7);
  EXPECT_EQ(span("fermi-gtx480", 2), 23u + 7 * 2);
  EXPECT_EQ(span("fermi-gtx480", 8), 29u + 7 * 8);
  EXPECT_EQ(span("fermi-gtx480", 32), 53u + 7 * 32);
  // A partition generates 8 addresses per cycle, so a load starts at least four cycles after the previous
  // one.
  EXPECT_EQ(span("maxwell-gtx980", 1), 23u + 7 * 4);
  EXPECT_EQ(span("maxwell-gtx980", 4), 26u + 7 * 4);
  EXPECT_EQ(span("maxwell-gtx980", 8), 30u + 7 * 8);
}

TEST(ConstantMemory, OneCycleForEachAddress) {
  const auto latency = [](const Machine& machine, int step) {
    const Measured m = measure(machine.with(kLrr).with(kWidePort),
                               "mov.u32 %r0, %tid.x;\nshr.u32 %r1, %r0, " + std::to_string(step) +
                                   ";\nmov.u64 %rd1, table;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, "
                                   "%rd2;\nld.const.u32 %r2, [%rd3];\nadd.u32 %r3, %r2, 1;");
    return m.first_at(6) - m.first_at(5);
  };
  EXPECT_EQ(latency(on("fermi-gtx480"), 5), 22u);
  EXPECT_EQ(latency(on("fermi-gtx480"), 4), 23u);
  EXPECT_EQ(latency(on("fermi-gtx480"), 0), 53u);
  EXPECT_EQ(latency(on("maxwell-gtx980"), 5), 25u);
  EXPECT_EQ(latency(on("maxwell-gtx980").with("sm.load_store.constant.latency_cycles=70"), 3), 73u);
}

Measured load_twice(const Machine& machine, const std::string& load) {
  return measure(machine.with(kLrr).with(kWidePort), "ld.param.u64 %rd0, [buffer];\n" + load +
                                                         " %r0, [%rd0];\nadd.u32 %r1, %r0, 1;\n" + load +
                                                         " %r2, [%rd0+64];\nadd.u32 %r3, %r2, 1;");
}

TEST(GlobalMemory, L1Hit) {
  const auto hit = [](const Machine& machine, const char* load) {
    const Measured m = load_twice(machine, load);
    EXPECT_EQ(m.count("sm0.load_store.l1_hits"), 1u);
    return m.first_at(4) - m.first_at(3);
  };
  EXPECT_EQ(hit(on("fermi-gtx480"), "ld.global.u32"), 22u);
  EXPECT_EQ(hit(on("fermi-gtx480").with("sm.load_store.l1.latency_cycles=51"), "ld.global.u32"), 51u);
  EXPECT_EQ(hit(on("maxwell-gtx980"), "ld.global.nc.u32"), 82u);
  EXPECT_EQ(hit(on("maxwell-gtx980").with("sm.load_store.l1.latency_cycles=33"), "ld.global.nc.u32"), 33u);
}

TEST(GlobalMemory, MissGoesToDramThenHitsTheL2) {
  const auto first = [](const Measured& m) { return m.first_at(2) - m.first_at(1); };
  const auto second = [](const Measured& m) { return m.first_at(4) - m.first_at(3); };
  const Measured gtx480 = load_twice(on("fermi-gtx480"), "ld.global.cg.u32");
  EXPECT_EQ(first(gtx480), 342u);
  EXPECT_EQ(second(gtx480), 155u);
  const Measured maxwell = load_twice(on("maxwell-gtx980"), "ld.global.u32");
  EXPECT_EQ(first(maxwell), 350u);
  EXPECT_EQ(second(maxwell), 194u);
  const Measured slow = load_twice(
      on("maxwell-gtx980").with("memory.l2.latency_cycles=300").with("memory.dram.latency_cycles=400"),
      "ld.global.u32");
  EXPECT_EQ(first(slow), 700u);
  EXPECT_EQ(second(slow), 300u);
  const Measured fixed = load_twice(on("fermi-gebhart"), "ld.global.u32");
  EXPECT_EQ(first(fixed), 400u);  // Gebhart 2012, Table I: 400 cycles
  EXPECT_EQ(second(fixed), 400u);
  EXPECT_EQ(first(load_twice(on("fermi-gebhart").with("memory.latency_cycles=150"), "ld.global.u32")), 150u);
}

// 8 warps load 4 lines each. At b bytes per cycle, the last of 32 lines of 128 bytes arrives 31 * 128/b
// cycles after the first.
TEST(GlobalMemory, BandwidthLimit) {
  const std::string body =
      "ld.param.u64 %rd0, [buffer];\nmov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, 31;\nshr.u32 %r2, %r0, 5;\n"
      "mad.lo.u32 %r3, %r2, 128, %r1;\nmul.wide.u32 %rd1, %r3, 4;\nadd.u64 %rd2, %rd0, %rd1;\n" +
      std::string(
          "ld.global.u32 %r10, [%rd2];\nld.global.u32 %r11, [%rd2+128];\n"
          "ld.global.u32 %r12, [%rd2+256];\nld.global.u32 %r13, [%rd2+384];");
  const auto span = [&](const Machine& machine) {
    const Measured m = measure(machine.with(kLrr), body);
    EXPECT_EQ(m.count("memory.bytes_read"), 32u * 128);
    return m.cycles - m.first_at(7);
  };
  EXPECT_EQ(span(on("fermi-gebhart", 256)), 400u + 31 * 4);
  EXPECT_EQ(span(on("fermi-gebhart", 256).with("memory.bytes_per_cycle_per_sm=16")), 400u + 31 * 8);
  const std::string fixed =
      R"(memory={"type": "fixed-latency", "latency_cycles": 250, "bytes_per_cycle_per_sm": )";
  EXPECT_EQ(span(on("fermi-gtx480", 256)
                     .with(kWidePort)
                     .with("sm.register_file.banks.ports=1r1w")
                     .with(fixed + "64}")),
            250u + 31 * 2);
  EXPECT_EQ(span(on("fermi-gtx480", 256)
                     .with(kWidePort)
                     .with("sm.register_file.banks.ports=1r1w")
                     .with(fixed + "8}")),
            250u + 31 * 16);
}

TEST(GlobalMemory, SegmentsACycle) {
  const auto latency = [](const Machine& machine, int stride) {
    const Measured m =
        measure(machine.with(kLrr).with(kWidePort).with(
                    "memory={\"type\": \"fixed-latency\", \"latency_cycles\": 300, "
                    "\"bytes_per_cycle_per_sm\": 0}"),
                "ld.param.u64 %rd0, [buffer];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, " +
                    std::to_string(stride) +
                    ";\nadd.u64 %rd2, %rd0, %rd1;\nld.global.u32 %r1, [%rd2];\nadd.u32 %r2, %r1, 1;");
    return m.first_at(5) - m.first_at(4);
  };
  for (const char* preset : {"fermi-gtx480", "fermi-gebhart"}) {
    EXPECT_EQ(latency(on(preset), 0), 300u) << preset;
    EXPECT_EQ(latency(on(preset), 4), 300u) << preset;
    EXPECT_EQ(latency(on(preset), 8), 301u) << preset;
    EXPECT_EQ(latency(on(preset), 128), 331u) << preset;
  }
}

TEST(GlobalMemory, SecondMissJoinsTheFirst) {
  const std::string body = "ld.param.u64 %rd0, [buffer];\nld.global.u32 %r0, [%rd0];\nadd.u32 %r1, %r0, 1;";
  const Measured m = measure(on("fermi-gtx480", 64).with(kLrr).with(kWidePort), body);
  EXPECT_EQ(m.count("sm0.load_store.l1_misses"), 1u);
  EXPECT_EQ(m.count("sm0.load_store.l1_merges"), 1u);
  EXPECT_EQ(m.first_at(2) - m.first_at(1), 342u);
  EXPECT_EQ(m.of_warp(1)[2], m.of_warp(0)[2]);
}

// With only one MSHR, the second line is requested when the first line has arrived. The line arrives 6 cycles
// before the first value can be used.
TEST(GlobalMemory, OneMissAtATime) {
  const std::string body =
      "ld.param.u64 %rd0, [buffer];\nld.global.u32 %r0, [%rd0];\nld.global.u32 %r1, [%rd0+1024];\n"
      "add.u32 %r2, %r0, 1;\nadd.u32 %r3, %r1, 1;";
  const auto at =
      measure(on("fermi-gtx480").with(kLrr).with(kWidePort).with("sm.load_store.l1.mshrs=1"), body)
          .of_warp(0);
  EXPECT_EQ(at[3] - at[1], 342u);
  EXPECT_EQ(at[4] - at[1], 342u - 6 + 342);
}

}  // namespace
}  // namespace heddle::timing
