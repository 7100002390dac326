// Microbenchmarks of Huerta 2025 on the core of ampere-a6000, with exact cycles. The control bits of every
// program are set by hand, so that wrong bits show as wrong values.
//
// Each line of a program is one instruction. The comment after the instruction gives the instruction's
// control bits: s4 stall count, y yield, w0 write counter, r1 read counter, m3 wait mask (hexadecimal), u0
// reuse bit of source operand 0. An instruction without a comment waits for all earlier instructions, and
// later instructions wait for it. The names %f0 to %f31 stand for registers 0 to 31, %r0 to %r15 for 32 to
// 47, and %rd0 to %rd3 for the pairs from 48 on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <sstream>

#include "models/core/error.h"
#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

constexpr const char* kUnit = "0f3F800000";
constexpr int kRegisters = 56;

std::uint32_t number_of(const std::string& name) {
  const bool wide = name.starts_with("%rd");
  const auto n = static_cast<std::uint32_t>(std::stoul(name.substr(wide ? 3 : 2)));
  if (wide) return 48 + 2 * n + (name.ends_with(".hi") ? 1 : 0);
  return name[1] == 'f' ? n : 32 + n;
}

std::vector<std::string> lines_of(const std::string& body) {
  std::vector<std::string> lines;
  std::istringstream in(body);
  for (std::string line; std::getline(in, line);)
    if (line.find(';') != std::string::npos) lines.push_back(line);
  return lines;
}

void set_safe(isa::Instruction& i) {
  i.control = {};
  i.control.set = true;
  i.control.stall = 15;
  i.control.yield = true;
  i.control.wait_mask = 0x3f;
  const bool variable = i.unit == isa::UnitClass::ldst || i.unit == isa::UnitClass::sfu;
  if (variable && i.num_dst != 0) i.control.write_counter = 5;
  if (variable) i.control.read_counter = 4;
}

void set_bits(isa::Instruction& i, const std::string& line) {
  set_safe(i);
  const std::size_t comment = line.find("//");
  if (comment == std::string::npos) return;
  i.control = {};
  i.control.set = true;
  std::istringstream in(line.substr(comment + 2));
  for (std::string token; in >> token;) {
    const auto value = static_cast<std::uint8_t>(
        token.size() > 1 ? std::stoul(token.substr(1), nullptr, token[0] == 'm' ? 16 : 10) : 0);
    switch (token[0]) {
      case 's':
        i.control.stall = value;
        break;
      case 'y':
        i.control.yield = true;
        break;
      case 'w':
        i.control.write_counter = value;
        break;
      case 'r':
        i.control.read_counter = value;
        break;
      case 'm':
        i.control.wait_mask = value;
        break;
      case 'u':
        i.src[value].annotation.reuse = true;
        break;
      default:
        FAIL() << "no control bit " << token;
    }
  }
}

void prepare(isa::Program& program, const std::vector<std::string>& lines) {
  ASSERT_EQ(program.code.size(), lines.size() + 1) << "a line is not one instruction";
  const auto rename = [&](isa::Operand& o) {
    if (o.is_reg()) o.reg = RegId(number_of(program.register_names[o.reg.value]));
  };
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    isa::Instruction& i = program.code[n];
    for (isa::Operand& o : i.sources()) rename(o);
    for (isa::Operand& o : i.destinations()) rename(o);
    if (n < lines.size())
      set_bits(i, lines[n]);
    else
      set_safe(i);
  }
  program.registers = kRegisters;
}

Machine ampere(const std::string& body, int threads = 32) {
  Machine machine = on("ampere-a6000", threads);
  machine.edit = [lines = lines_of(body)](isa::Program& program) { prepare(program, lines); };
  return machine;
}

Measured run(const std::string& body, int threads = 32) { return measure(ampere(body, threads), body); }

std::string nop(const std::string& bits = "s1") {
  return fmt::format("add.f32 %f31, {}, {}; // {}\n", kUnit, kUnit, bits);
}

std::string ones(int count) {
  std::string text;
  for (int r = 0; r < count; ++r) text += fmt::format("mov.b32 %f{}, {};\n", r, kUnit);
  return text;
}

/// Returns the cycles between the issues of instructions `first` and `last`; the program runs with only one
/// warp.
Cycle between(const Measured& measured, std::size_t first, std::size_t last) {
  const std::vector<Cycle> at = measured.of_warp(0);
  return at.at(last) - at.at(first);
}

float stored(const Measured& measured) { return std::bit_cast<float>(measured.buffer[0]); }

std::uint64_t window_count(const Measured& measured, const std::string& name) {
  return measured.count("sm0.partition0.read_window." + name);
}

// Huerta 2025, Listing 1. The first source of the second FFMA is in the even bank. None, one or both of the
// other sources of the second FFMA are in the even bank too.
TEST(ModernCore, Listing1TakesFiveSixOrSevenCycles) {
  const auto cycles = [](int b, int c) {
    const std::string body = ones(20) + nop() + nop() + "fma.rn.f32 %f11, %f10, %f12, %f14; // s1\n" +
                             fmt::format("fma.rn.f32 %f13, %f16, %f{}, %f{}; // s1\n", b, c) + nop() + nop();
    return between(run(body), 20, 25);
  };
  EXPECT_EQ(cycles(17, 19), 5u);
  EXPECT_EQ(cycles(18, 19), 6u);
  EXPECT_EQ(cycles(18, 8), 7u);
}

Cycle steady(const std::string& lines, int copies, int each) {
  const Measured measured = run(ones(20) + repeated(copies, lines));
  const std::size_t from = 20 + static_cast<std::size_t>(each) * 8,
                    to = from + static_cast<std::size_t>(each) * 6;
  return between(measured, from, to);
}

TEST(ModernCore, BankConflictsCostBubbles) {
  EXPECT_EQ(steady("mul.f32 %f21, %f2, %f4; // s1", 24, 1), 6u * 2) << "FMUL, one bubble";
  EXPECT_EQ(steady("fma.rn.f32 %f21, %f2, %f4, %f6; // s1", 24, 1), 6u * 3) << "FFMA, two bubbles";
  EXPECT_EQ(steady("fma.rn.f32 %f21, %f2, %f4, %f5; // s1\nfma.rn.f32 %f21, %f2, %f3, %f5; // s1", 24, 2),
            6u * 3)
      << "FFMAs spread over the banks: 1.5 cycles";
  EXPECT_EQ(steady("mul.f32 %f21, %f2, %f5; // s1", 24, 1), 6u) << "one operand a bank";
}

TEST(ModernCore, MorePortsTakeConflictsAway) {
  const std::string line = "fma.rn.f32 %f21, %f2, %f4, %f6; // s1";
  const std::string body = ones(20) + repeated(24, line);
  const auto cycles = [&](const char* ports) {
    const Machine machine = ampere(body).with(std::string("sm.register_file.banks.ports=") + ports);
    return between(measure(machine, body), 28, 34);
  };
  EXPECT_EQ(cycles("1r1w"), 18u);
  EXPECT_EQ(cycles("2r1w"), 9u);
  EXPECT_EQ(cycles("unlimited"), 6u);
}

std::string listing2(int stall) {
  return ones(4) + "ld.param.u64 %rd0, [buffer];\n" + nop() + nop() +
         fmt::format("add.f32 %f1, %f2, %f3; // s{}\n", stall) + "fma.rn.f32 %f5, %f1, %f1, %f1; // s1\n" +
         nop() + nop("s15 y") + "st.global.f32 [%rd0], %f5;\n";
}

// Huerta 2025, Listing 2: with a stall count of 1, the FFMA computes with the old value of its sources.
TEST(ModernCore, Listing2ComputesAWrongValueWithStallOne) {
  const Measured early = run(listing2(1)), late = run(listing2(4));
  EXPECT_EQ(between(early, 5, 10), 5u);
  EXPECT_EQ(stored(early), 2.0f);
  EXPECT_EQ(between(late, 5, 10), 8u);
  EXPECT_EQ(stored(late), 6.0f);
  for (int stall = 2; stall <= 11; ++stall)
    EXPECT_EQ(stored(run(listing2(stall))), stall < 4 ? 2.0f : 6.0f) << stall;
}

TEST(ModernCore, TheCheckNamesTheMissingCycles) {
  const Machine checked = ampere(listing2(1)).with("sm.register_file.operands.checked=true");
  try {
    measure(checked, listing2(1));
    FAIL() << "a value that is read too early passes";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("fma.rn.f32"), std::string::npos) << text;
    EXPECT_NE(text.find("reads r1 3 cycles before"), std::string::npos) << text;
    EXPECT_NE(text.find("add.f32"), std::string::npos) << text;
  }
  const Machine right = ampere(listing2(4)).with("sm.register_file.operands.checked=true");
  EXPECT_EQ(stored(measure(right, listing2(4))), 6.0f);
}

TEST(ModernCore, LatenciesFromTwoUpwardAreExact) {
  for (int latency = 2; latency <= 9; ++latency)
    for (const int stall : {latency - 1, latency}) {
      if (stall == 0) continue;
      const Machine machine =
          ampere(listing2(stall)).with(fmt::format("sm.units.fp32.latency_cycles={}", latency));
      EXPECT_EQ(stored(measure(machine, listing2(stall))), stall == latency ? 6.0f : 2.0f) << latency;
    }
  const Machine too_short = ampere(listing2(1)).with("sm.units.fp32.latency_cycles=1");
  EXPECT_THROW(measure(too_short, listing2(1)), Error);
}

// If bank conflicts delay the producer of a value in the stage Allocate, the stall count must still be
// enough: the consumer must not read too early.
TEST(ModernCore, ConflictsLeaveStallCountsAsTheyAre) {
  for (int gap = 0; gap <= 3; ++gap) {
    std::string body = ones(20) + "ld.param.u64 %rd0, [buffer];\n";
    body += "fma.rn.f32 %f20, %f2, %f4, %f6; // s1\n";
    body += fmt::format("fma.rn.f32 %f1, %f2, %f4, %f6; // s{}\n", 4 - gap);
    for (int n = 0; n < gap; ++n) body += nop();
    body += "fma.rn.f32 %f5, %f1, %f1, %f1; // s1\n" + nop("s15 y") + "st.global.f32 [%rd0], %f5;\n";
    EXPECT_EQ(stored(run(body)), 6.0f) << gap;
  }
}

struct Reuse {
  const char* name;
  std::string body;
  std::uint64_t hits;
};

// Huerta 2025, Listing 4: instruction `a` leaves R2 in the reuse cache, at operand position 0 of bank 0. The
// following instructions hit there if they read R2 at this position, before another register of this bank and
// position replaces it.
TEST(ModernCore, Listing4FollowsTheReuseCache) {
  const std::string a = "fma.rn.f32 %f20, %f2, %f5, %f7; // s2 u0\n";
  const Reuse sequences[] = {
      {"1", "fma.rn.f32 %f22, %f2, %f9, %f11; // s2\n", 1},
      {"2", "fma.rn.f32 %f22, %f2, %f9, %f11; // s2 u0\nfma.rn.f32 %f24, %f2, %f13, %f15; // s2\n", 2},
      {"3", "fma.rn.f32 %f22, %f9, %f2, %f11; // s2\nfma.rn.f32 %f24, %f2, %f13, %f15; // s2\n", 1},
      {"4", "fma.rn.f32 %f22, %f4, %f9, %f11; // s2\nfma.rn.f32 %f24, %f2, %f13, %f15; // s2\n", 0},
  };
  for (const Reuse& sequence : sequences) {
    const Measured measured = run(ones(20) + a + sequence.body);
    EXPECT_EQ(window_count(measured, "reuse_hits_a"), sequence.hits) << "sequence " << sequence.name;
    EXPECT_EQ(window_count(measured, "reuse_hits_b") + window_count(measured, "reuse_hits_c"), 0u);
  }
}

TEST(ModernCore, AReuseBitAcrossAWriteGivesTheOldValue) {
  const std::string body = ones(8) + "ld.param.u64 %rd0, [buffer];\n" + "add.f32 %f10, %f2, %f3; // s4 u0\n" +
                           "add.f32 %f2, %f3, %f5;\n" + "add.f32 %f12, %f2, %f3; // s15 y\n" +
                           "st.global.f32 [%rd0], %f12;\n";
  EXPECT_EQ(stored(run(body)), 2.0f);
  const Machine off = ampere(body).with("sm.register_file.operands.reuse_positions=0");
  EXPECT_EQ(stored(measure(off, body)), 3.0f);
}

/// Order in which the warps of sub-core 0 issue: (warp, number of its successive instructions). Warp -1
/// stands for cycles without an issue.
using Runs = std::vector<std::pair<int, int>>;
Runs order_of(const Measured& measured, std::uint32_t first_pc, std::uint32_t last_pc) {
  Runs runs;
  Cycle last = 0;
  for (const Issue& issue : measured.issues) {
    if (issue.warp % 4 != 0 || issue.pc < first_pc || issue.pc > last_pc) continue;
    const int warp = static_cast<int>(issue.warp / 4);
    if (last != 0 && issue.cycle > last + 1) runs.emplace_back(-1, static_cast<int>(issue.cycle - last - 1));
    if (!runs.empty() && runs.back().first == warp)
      ++runs.back().second;
    else
      runs.emplace_back(warp, 1);
    last = issue.cycle;
  }
  return runs;
}

// Huerta 2025, Fig. 4: order in which four warps of one sub-core issue. W3 is the youngest warp.
TEST(ModernCore, Figure4GreedyThenYoungest) {
  const auto order = [](const char* second) {
    std::string body = nop("s15 y") + nop("s15 y") + nop("s15 y") + "bar.sync 0; // s1\n";
    for (int n = 0; n < 6; ++n)
      body += fmt::format("add.f32 %f{}, {}, {}; // {}\n", 2 + n, kUnit, kUnit,
                          n == 1   ? second
                          : n == 5 ? "s0 y"
                                   : "s1");
    return order_of(run(body, 16 * 32), 4, 9);
  };
  EXPECT_EQ(order("s1"), (Runs{{3, 6}, {2, 6}, {1, 6}, {0, 6}}));
  EXPECT_EQ(order("s4"), (Runs{{3, 2}, {2, 2}, {1, 2}, {3, 4}, {2, 4}, {1, 4}, {0, 2}, {-1, 3}, {0, 4}}));
  EXPECT_EQ(order("s1 y"), (Runs{{3, 2}, {2, 2}, {3, 4}, {2, 4}, {1, 2}, {0, 2}, {1, 4}, {0, 4}}));
}

TEST(ModernCore, YieldWithoutAStallWaits45Cycles) {
  const std::string body = nop("s0 y") + nop("s15") + nop("s15 y") + nop();
  const Measured measured = run(body);
  EXPECT_EQ(between(measured, 0, 1), 45u);
  EXPECT_EQ(between(measured, 1, 2), 2u) << "a stall above 11 without yield";
  EXPECT_EQ(between(measured, 2, 3), 15u);
}

// Two results of fixed latency reach the same bank in the same cycle: the f16 operation takes 5 cycles, the
// f32 operation 4. Neither result may wait.
TEST(ModernCore, ResultsOfFixedLatencyDoNotWaitForAPort) {
  const std::string body = ones(8) + "ld.param.u64 %rd0, [buffer];\n" +
                           "add.rn.f16x2 %r2, %r2, %r4; // s1\n" + "add.f32 %f10, %f2, %f4; // s4\n" +
                           "add.f32 %f12, %f10, %f10; // s15 y\n" + "st.global.f32 [%rd0], %f12;\n";
  EXPECT_EQ(stored(run(body)), 4.0f);
}

// A load's result waits one cycle if a result of fixed latency is written to the same bank in this cycle.
TEST(ModernCore, ALoadWaitsForAResultOfFixedLatency) {
  const auto waiter = [](int distance, int target) {
    std::string body = ones(8) + "ld.param.u64 %rd0, [buffer];\nld.global.f32 %f20, [%rd0];\n";
    const std::size_t load = 10;
    body += fmt::format("ld.global.f32 %f22, [%rd0]; // s{} w0 m20\n", 2 + distance % 2);
    for (int n = 0; n < distance / 2; ++n) body += fmt::format("add.f32 %f31, {}, {}; // s2\n", kUnit, kUnit);
    body += fmt::format("add.f32 %f{}, {}, {}; // s1\n", target, kUnit, kUnit);
    body += "add.f32 %f30, %f22, %f22; // s1 m1\n";
    return between(run(body), load, load + static_cast<std::size_t>(distance / 2) + 2);
  };
  const auto late = [&](int target) {
    int count = 0;
    const Cycle alone = waiter(0, 25);
    for (int distance = 10; distance < 28; ++distance) count += waiter(distance, target) == alone + 1;
    return count;
  };
  EXPECT_EQ(late(25), 0) << "the other bank";
  EXPECT_EQ(late(24), 1) << "the load's bank";
}

// Huerta 2025, section 4: a warp sees a raised counter one cycle late.
TEST(ModernCore, ARaiseShowsACycleLate) {
  const auto value = [](int stall) {
    const std::string body = ones(24) + "ld.param.u64 %rd0, [buffer];\n" +
                             fmt::format("ld.global.f32 %f22, [%rd0]; // s{} w0 m20\n", stall) +
                             "add.f32 %f30, %f22, %f22; // s15 y m1\n" + "st.global.f32 [%rd0], %f30;\n";
    Machine machine = ampere(body);
    machine.buffer[0] = std::bit_cast<std::uint32_t>(5.0f);
    return stored(measure(machine, body));
  };
  EXPECT_EQ(value(1), 2.0f) << "the waiter does not see the raise";
  EXPECT_EQ(value(2), 10.0f);
}

TEST(ModernCore, AReadCounterKeepsASourceUntilItIsRead) {
  const auto value = [](const char* bits) {
    const std::string body = ones(8) + "ld.param.u64 %rd0, [buffer];\n" +
                             "st.global.f32 [%rd0], %f2; // s2 r0 m20\n" +
                             fmt::format("add.f32 %f2, %f3, %f5; // s15 y {}\n", bits) + nop("s15 y");
    return stored(run(body));
  };
  EXPECT_EQ(value("m1"), 1.0f);
}

TEST(ModernCore, OperandPredicatesAreReadAtDispatchAndGuardsAtIssue) {
  const auto value = [](const char* consumer, int stall) {
    const std::string body = ones(8) + "setp.ne.f32 %p0, %f2, %f3;\nld.param.u64 %rd0, [buffer];\n" +
                             fmt::format("setp.eq.f32 %p0, %f2, %f3; // s{}\n", stall) + consumer +
                             nop("s15 y") + "st.global.f32 [%rd0], %f5;\n";
    return stored(run(body));
  };
  const char* select = "selp.f32 %f5, 0f40000000, 0f3F800000, %p0; // s1\n";
  EXPECT_EQ(value(select, 3), 1.0f);
  EXPECT_EQ(value(select, 4), 2.0f);
  for (int stall = 5; stall <= 11; ++stall) EXPECT_EQ(value(select, stall), 2.0f) << stall;
  const char* guarded = "@%p0 add.f32 %f5, %f2, %f3; // s1\n";
  EXPECT_EQ(value(guarded, 4), 1.0f);
  EXPECT_EQ(value(guarded, 11), 2.0f);
}

TEST(ModernCore, SleepingChangesNoCounter) {
  std::string body = ones(24) + "ld.param.u64 %rd0, [buffer];\n";
  for (int n = 0; n < 6; ++n)
    body +=
        "ld.global.f32 %f22, [%rd0]; // s2 w0 m20\nfma.rn.f32 %f20, %f2, %f4, %f6; // s1 u0\n"
        "fma.rn.f32 %f21, %f2, %f4, %f6; // s9\nadd.f32 %f30, %f22, %f22; // s5 m1\n"
        "ex2.approx.f32 %f24, %f30; // s2 w1\nadd.f32 %f25, %f24, %f24; // s1 y m2\n";
  Machine machine = ampere(body, 256);
  const Measured sleeping = measure(machine, body);
  machine.every_cycle = true;
  const Measured ticking = measure(machine, body);
  EXPECT_EQ(sleeping.cycles, ticking.cycles);
  EXPECT_EQ(sleeping.counters, ticking.counters);
}

TEST(ModernCore, AProgramWithoutControlBitsIsRefused) {
  EXPECT_THROW(measure(on("ampere-a6000"), "add.u32 %r0, %r1, 1;"), Error);
}

TEST(ModernCore, RegisterStagesAboveAReadWindowAreRefusedByName) {
  const std::string body = nop();
  try {
    measure(ampere(body).with(R"(sm.register_file.stages=["register-cache", "banks"])"), body);
    FAIL() << "a stage that delays reads passes";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"read-window\" above \"register-cache\""), std::string::npos)
        << error.what();
  }
}

// With scoreboards in place of control bits, the distances between dependent instructions must be the same.
TEST(ModernCore, ScoreboardsKeepTheDistancesOfTheBypass) {
  const std::string scoreboard =
      R"(sm.constraints=["consumer-scoreboard", "collector-free", "latch-free", "unit-gated"])";
  const std::string line = "add.f32 %f0, %f0, 0f3F800000;";
  const std::vector<Cycle> at = measure(on("ampere-a6000").with(scoreboard), repeated(6, line)).of_warp(0);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(at[i] - at[i - 1], 4u);
  const std::vector<Cycle> plain =
      measure(on("ampere-a6000").with(R"(sm.constraints=["scoreboard", "collector-free", "latch-free"])"),
              repeated(6, line))
          .of_warp(0);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(plain[i] - plain[i - 1], 10u) << "from issue to write-back";
}

}  // namespace
}  // namespace heddle::timing
