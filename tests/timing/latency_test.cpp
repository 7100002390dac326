// For every class of operation, the time from an instruction's issue to the issue of a dependent instruction
// must equal the preset's latency. This latency includes banks, collectors and ports.

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

struct Chain {
  const char* name;
  const char* key;
  const char* line;
  int gtx480;
  int gebhart;
  /// additional cycles if the collector port receives one word per cycle: number of operand words minus 1
  int extra_gtx480;
};

// The collector port of fermi-gtx480 receives one 32-bit word per cycle, so each operand word after the first
// costs one more cycle (Radaideh 2021, IV-A). The port of fermi-gebhart receives three words per cycle, so
// the instructions below, with at most three words, need no additional cycle.
const Chain kChains[] = {
    {"Add", "int_add", "add.u32 %r0, %r0, 1;", 9, 8, 0},
    {"Logic", "int_add", "xor.b32 %r0, %r0, 5;", 9, 8, 0},
    {"AddOfTwo", "int_add", "add.u32 %r0, %r0, %r1;", 10, 8, 1},
    {"Add64", "int_add", "add.u64 %rd0, %rd0, 1;", 10, 8, 1},
    {"Multiply", "int_mul", "mul.lo.u32 %r0, %r0, 3;", 9, 8, 0},
    {"PopulationCount", "int_bit", "popc.b32 %r0, %r0;", 9, 8, 0},
    {"Divide", "int_div", "div.u32 %r0, %r0, 3;", 150, 160, 0},
    {"Float", "fp32", "add.f32 %f0, %f0, 0f3F800000;", 9, 8, 0},
    {"FusedOfThree", "fp32", "fma.rn.f32 %f0, %f0, %f1, %f2;", 11, 8, 2},
    {"Double", "fp64", "add.f64 %d0, %d0, 0d3FF0000000000000;", 14, 10, 1},
    {"FloatDivide", "fp_div", "div.rn.f32 %f0, %f0, 0f40000000;", 44, 84, 0},
    {"DoubleDivide", "fp64_div", "div.rn.f64 %d0, %d0, 0d4000000000000000;", 336, 140, 1},
    {"Special", "sfu", "ex2.approx.f32 %f0, %f0;", 13, 20, 0},
    {"Shuffle", "cross_lane", "shfl.sync.idx.b32 %r0, %r0, 3, 31, 0xffffffff;", 9, 20, 0},
};

void expect_distance(const Machine& machine, const Chain& chain, Cycle distance) {
  const std::vector<Cycle> at = measure(machine, repeated(6, chain.line)).of_warp(0);
  ASSERT_EQ(at.size(), 7u);
  for (std::size_t i = 1; i < 6; ++i)
    EXPECT_EQ(at[i] - at[i - 1], distance) << chain.name << " on " << machine.preset << ", link " << i;
}

TEST(DependentChain, AsThePresetsStand) {
  for (const Chain& chain : kChains) {
    expect_distance(on("fermi-gtx480"), chain, static_cast<Cycle>(chain.gtx480));
    expect_distance(on("fermi-gebhart"), chain, static_cast<Cycle>(chain.gebhart));
  }
}

// Tests the instructions that have another latency than the rest of their class on fermi-gpgpusim.
TEST(DependentChain, OfGpgpuSim) {
  const auto expect = [](const char* line, Cycle distance) {
    const std::vector<Cycle> at = measure(on("fermi-gpgpusim"), repeated(6, line)).of_warp(0);
    for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(at[i] - at[i - 1], distance) << line << ", link " << i;
  };
  expect("add.u32 %r0, %r0, 1;", 10);
  expect("mul.lo.u32 %r0, %r0, 3;", 10);
  expect("mad.lo.u32 %r0, %r0, 3, 5;", 11);
  expect("xor.b32 %r0, %r0, 5;", 7);
  expect("mov.b32 %r0, %r0;", 7);
  expect("max.s32 %r0, %r0, 7;", 19);
  expect("fma.rn.f32 %f0, %f0, 0f3F800000, 0f3F800000;", 11);
  expect("abs.f32 %f0, %f0;", 7);
  expect("sqrt.rn.f32 %f0, %f0;", 14);
  expect("div.rn.f32 %f0, %f0, 0f40000000;", 45);
  expect("div.approx.f32 %f0, %f0, 0f40000000;", 45);
}

// The second instruction overwrites a source of the first instruction. It may issue while the first
// instruction waits for operands. The second instruction must write its result after the first instruction
// has read the source.
TEST(WriteAfterRead, IsAnInterlockOrAnOrder) {
  const std::string code =
      "mov.u32 %r1, 7;\nmov.u32 %r2, 8;\nmov.u32 %r3, 9;\nmov.u32 %r0, 1;\nadd.u32 %r0, %r0, 1;\n"
      "add.u32 %r0, %r0, 1;\nmad.lo.u32 %r5, %r1, %r2, %r3;\nmov.u32 %r1, 100;\nmov.u32 %r2, 100;\n"
      "mov.u32 %r3, 100;\nst.global.u32 [buffer], %r5;";
  const auto gap = [&code](const char* rule, std::uint32_t& value) {
    const Machine machine = on("fermi-gtx480").with(std::string("sm.register_file.write_after_read=") + rule);
    const Measured run =
        measure(machine, "ld.param.u64 %rd0, [buffer];\n" + code.substr(0, code.rfind("st.")) +
                             "st.global.u32 [%rd0], %r5;");
    value = run.buffer[0];
    return run.first_at(8) - run.first_at(7);
  };
  std::uint32_t interlocked = 0, ordered = 0;
  EXPECT_EQ(gap("interlocked", interlocked), 6u);
  EXPECT_EQ(gap("ordered", ordered), 1u);
  EXPECT_EQ(interlocked, 7u * 8 + 9);
  EXPECT_EQ(ordered, 7u * 8 + 9);
}

TEST(DependentChain, WithALatencyOfFourHundred) {
  for (const Chain& chain : kChains) {
    const std::string set = std::string("sm.units.") + chain.key + ".latency_cycles=400";
    expect_distance(on("fermi-gtx480").with(set), chain, static_cast<Cycle>(400 + chain.extra_gtx480));
    expect_distance(on("fermi-gebhart").with(set), chain, 400);
  }
}

TEST(DependentChain, ConversionsAlternateWithMoves) {
  const std::string pair = "cvt.rn.f32.s32 %f0, %r0;\nmov.b32 %r0, %f0;";
  const auto distance = [&](const Machine& machine) {
    const std::vector<Cycle> at = measure(machine, repeated(3, pair)).of_warp(0);
    return at[4] - at[2];
  };
  EXPECT_EQ(distance(on("fermi-gtx480")), 9u + 9u);
  EXPECT_EQ(distance(on("maxwell-gtx980")), 10u + 6u);
  EXPECT_EQ(distance(on("maxwell-gtx980").with("sm.units.convert.latency_cycles=31")), 31u + 6u);
}

// The run takes 4 cycles until its first issue. The last result is visible latency_cycles after the last
// instruction's issue.
TEST(DependentChain, WholeRunTakesAsManyCyclesAsThereAreLatencies) {
  EXPECT_EQ(measure(on("fermi-gtx480"), repeated(10, "add.u32 %r0, %r0, 1;")).cycles, 5u + 10 * 9);
  EXPECT_EQ(measure(on("fermi-gebhart"), repeated(10, "add.u32 %r0, %r0, 1;")).cycles, 5u + 10 * 8);
  EXPECT_EQ(measure(on("maxwell-gtx980"), repeated(10, "add.u32 %r0, %r0, 1;")).cycles, 5u + 10 * 6);
  EXPECT_EQ(measure(on("kepler-gtx780"), repeated(10, "add.u32 %r0, %r0, 1;")).cycles, 5u + 10 * 9);
}

TEST(DependentChain, DoesNotHangOnWhereOperandsComeFrom) {
  for (const char* first : {"mov.u32 %r0, 7;", "mov.u32 %r0, %tid.x;", "add.u32 %r0, %r1, 7;"}) {
    const std::string body = std::string(first) + "\nadd.u32 %r2, %r0, 1;";
    EXPECT_EQ(measure(on("fermi-gtx480"), body).cycles, 5u + 9 + 9) << first;
    EXPECT_EQ(measure(on("maxwell-gtx980"), body).cycles, 5u + 6 + 6) << first;
  }
}

TEST(DependentChain, PredicatesArriveAsRegistersDo) {
  const std::string body = "setp.eq.u32 %p0, %r0, 0;\n@%p0 add.u32 %r1, %r1, 1;\nselp.u32 %r2, 1, 2, %p0;";
  const auto gtx480 = measure(on("fermi-gtx480"), body).of_warp(0);
  EXPECT_EQ(gtx480[1] - gtx480[0], 9u);
  const auto slow = measure(on("maxwell-gtx980").with("sm.units.int_add.latency_cycles=23"), body).of_warp(0);
  EXPECT_EQ(slow[1] - slow[0], 23u);
}

TEST(DependentChain, LatencyOfTheBanksIsPartOfIt) {
  for (const char* preset : {"fermi-gtx480", "fermi-gebhart"}) {
    const Machine machine = on(preset);
    const auto body = repeated(5, "add.u32 %r0, %r0, 1;");
    EXPECT_EQ(measure(machine.with("sm.register_file.banks.latency_cycles=3"), body).cycles,
              measure(machine, body).cycles);
  }
}

// The shortest possible latency is four cycles around the unit, one in the banks, and at least one in the
// unit.
TEST(DependentChain, ShortestLatencyIsSixCycles) {
  const auto body = repeated(4, "add.u32 %r0, %r0, 1;");
  for (const char* preset : {"fermi-gtx480", "maxwell-gtx980"}) {
    const Machine machine = on(preset);
    EXPECT_EQ(measure(machine.with("sm.units.int_add.latency_cycles=6"), body).cycles, 5u + 4 * 6);
    EXPECT_THROW(measure(machine.with("sm.units.int_add.latency_cycles=5"), body), Error);
    EXPECT_THROW(
        measure(
            machine.with("sm.units.int_add.latency_cycles=7").with("sm.register_file.banks.latency_cycles=3"),
            body),
        Error);
  }
}

TEST(DependentChain, TickingInEveryCycleChangesNothing) {
  Machine machine = on("fermi-gtx480");
  const std::string body = repeated(5, "ex2.approx.f32 %f0, %f0;\nadd.f32 %f1, %f0, %f1;");
  const Measured sleeping = measure(machine, body);
  machine.every_cycle = true;
  const Measured ticking = measure(machine, body);
  EXPECT_EQ(sleeping.cycles, ticking.cycles);
  EXPECT_EQ(sleeping.counters, ticking.counters);
}

}  // namespace
}  // namespace heddle::timing
