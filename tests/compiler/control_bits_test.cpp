// Control bits of a core without a scoreboard: which bits the pass control-bits sets, which bits
// check_control_bits accepts, and which programs are refused.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>

#include "models/compiler/check_control_bits.h"
#include "models/core/error.h"
#include "models/ptx/module.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/compiler_random_program.h"
#include "tests/compiler/control_bits_harness.h"
#include "tests/compiler/issue_walk.h"

namespace heddle::compiler {
namespace {

using isa::OpClass;

constexpr const char* kDeclarations =
    ".reg .b32 %r<10>;\n.reg .f32 %f<6>;\n.reg .b64 %d<6>;\n.reg .pred %p<6>;\n";

isa::Program compiled(const std::string& body, const std::vector<std::string>& force = {}) {
  return compile(test::bare_kernel(kDeclarations + body),
                 test::with_control_bits(test::ampere_latencies(), force));
}

std::string bits(const std::string& body, const std::vector<std::string>& force = {}) {
  return test::text_with_bits(compiled(body, force));
}

std::string error_of(const std::string& body, const std::vector<std::string>& force) {
  try {
    compiled(body, force);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Fails if check_control_bits or a walk along a random path finds a fault in the control bits. `walks`:
// number of random paths.
void expect_sound(const isa::Program& program, int walks) {
  const ControlFlow flow(program);
  const Divergence divergence(program, flow);
  const auto fault = find_control_fault(program, flow, divergence);
  ASSERT_FALSE(fault) << fault->instruction << ": " << fault->what << "\n" << test::text_with_bits(program);
  const WarpFlow warp(program, flow, divergence);
  for (int n = 0; n < walks; ++n)
    if (const auto met = test::walk_randomly(program, flow, warp, static_cast<std::uint64_t>(n), 600))
      FAIL() << met->instruction << ": " << met->what << "\n" << test::text_with_bits(program);
}

TEST(ModernCoreControlBits, StallsFollowTheTable) {
  EXPECT_EQ(bits("mov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;\nmov.b32 %f0, %r1;\nadd.f32 %f1, %f0, %f0;\n"
                 "mul.f32 %f2, %f1, %f1;\nst.global.f32 [%d0], %f2;\nret;"),
            "mov.u32 r2, %tid.x ; stall 4\nadd.u32 r2, r2, 1 ; stall 5\nadd.f32 r2, r2, r2 ; stall 4\n"
            "mul.f32 r2, r2, r2 ; stall 4\nst.global.f32 [rd0], r2 ; stall 1\nexit ; stall 1\n");
}

TEST(ModernCoreControlBits, CountersOfLoadsAndStores) {
  EXPECT_EQ(bits("ld.global.u32 %r0, [%d0];\nld.global.u32 %r1, [%d0+4];\nadd.u32 %r2, %r0, %r1;\n"
                 "st.global.u32 [%d0], %r2;\nmov.u32 %r2, 7;\nst.global.u32 [%d0+8], %r2;\nret;"),
            "ld.global.u32 r2, [rd0] ; stall 1 write 0\nld.global.u32 r3, [rd0+4] ; stall 2 write 1\n"
            "add.u32 r2, r2, r3 ; stall 4 wait 0 1\nst.global.u32 [rd0], r2 ; stall 2 read 0\n"
            "mov.u32 r2, 7 ; stall 4 wait 0\nst.global.u32 [rd0+8], r2 ; stall 1\nexit ; stall 1\n");
}

TEST(ModernCoreControlBits, GuardsWaitLongerThanOperands) {
  EXPECT_EQ(
      bits("setp.lt.u32 %p0, %r0, 5;\nselp.u32 %r1, 1, 2, %p0;\n@%p0 add.u32 %r1, %r1, %r0;\n"
           "@%p0 bra END;\nadd.u32 %r1, %r1, 1;\nEND: st.global.u32 [%d0], %r1;\nret;"),
      "setp.lt.u32 p0, r0, 5 ; stall 4\nselp.u32 r2, 1, 2, p0 ; stall 9\n@p0 add.u32 r2, r0, r2 ; stall 1\n"
      "@p0 bra #5 ; stall 3\nadd.u32 r2, r2, 1 ; stall 4\nst.global.u32 [rd0], r2 ; stall 1\n"
      "exit ; stall 1\n");
}

// A loop loads a value and uses it later in the same iteration. The wait must be at the instruction that uses
// the value, not at the loop's branch.
TEST(ModernCoreControlBits, LoopsCarryCounters) {
  EXPECT_EQ(
      bits("mov.u32 %r0, 0;\nLOOP: ld.global.u32 %r1, [%d0];\nadd.u32 %r2, %r2, %r3;\n"
           "mov.u32 %r3, %r1;\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 9;\n@%p0 bra LOOP;\n"
           "st.global.u32 [%d0], %r2;\nret;"),
      "mov.u32 r2, 0 ; stall 1\nld.global.u32 r3, [rd0] ; stall 1 write 0\nadd.u32 r4, r4, r5 ; stall 1\n"
      "mov.u32 r5, r3 ; stall 1 wait 0\nadd.u32 r2, r2, 1 ; stall 4\n"
      "setp.lt.u32 p0, r2, 9 ; stall 13 yield\n@p0 bra #1 ; stall 1\n"
      "st.global.u32 [rd0], r4 ; stall 1\nexit ; stall 1\n");
}

// Nine loads are in flight, but only six dependence counters exist. The results of the loads must share five
// of them; the sixth stays free to count instructions that have not yet read their sources.
TEST(ModernCoreControlBits, NineLoadsShareSixCounters) {
  std::string body;
  for (int n = 0; n < 9; ++n) body += fmt::format("ld.global.u32 %r{}, [%d0+{}];\n", n, 4 * n);
  body += "add.u32 %r9, %r0, %r1;\n";
  for (int n = 2; n < 9; ++n) body += fmt::format("add.u32 %r9, %r9, %r{};\n", n);
  const isa::Program program = compiled(body + "st.global.u32 [%d0], %r9;\nret;");
  unsigned used = 0;
  for (const isa::Instruction& i : program.code)
    if (i.op == isa::Opcode::ld) used |= 1u << i.control.write_counter;
  EXPECT_EQ(used, 0b11111u) << "the sixth counter stays free for reads";
  expect_sound(program, 20);
}

TEST(ModernCoreControlBits, LongLatenciesTakeTheStallBeforeOrANop) {
  isa::LatencyTable table = test::ampere_latencies();
  table.rows[static_cast<std::size_t>(OpClass::fp32)].cycles = 40;
  for (const int between : {0, 1, 2, 5}) {
    std::string body = "add.f32 %f0, %f1, %f2;\n";
    for (int n = 0; n < between; ++n) body += fmt::format("add.u32 %r{}, %r0, 1;\n", n + 1);
    body += "mul.f32 %f3, %f0, %f0;\nst.global.f32 [%d0], %f3;\n";
    for (int n = 0; n < between; ++n) body += fmt::format("st.global.u32 [%d0+4], %r{};\n", n + 1);
    const isa::Program program =
        compile(test::bare_kernel(kDeclarations + body + "ret;"), test::with_control_bits(table));
    // The multiplication waits 40 cycles for the addition, and the store waits 40 cycles for the
    // multiplication. These waits exceed the largest stall count, so they need nops: fewer if other
    // instructions (`between`) stand between addition and multiplication.
    EXPECT_EQ(test::count_of(program, "nop"), between == 0 ? 4 : 3) << test::text_with_bits(program);
    expect_sound(program, 3);
  }
}

// Every distance between producer and consumer is tested: in straight code, across a branch, and across the
// backward branch of a loop.
TEST(ModernCoreControlBits, EveryPathLength) {
  for (int between = 0; between < 15; ++between)
    for (const bool loops : {false, true}) {
      std::string others;
      for (int n = 0; n < between; ++n) others += fmt::format("xor.b32 %r{}, %r8, {};\n", 2 + n % 4, n);
      const std::string body =
          loops ? "mov.u32 %r0, 0;\nLOOP: add.u32 %r1, %r0, %r9;\nsetp.lt.u32 %p0, %r1, 99;\n" + others +
                      "mul.lo.u32 %r9, %r1, 3;\n@%p0 bra LOOP;\nst.global.u32 [%d0], %r9;\nret;"
                : "setp.lt.u32 %p1, %r8, 4;\nmul.lo.u32 %r1, %r8, 3;\n@%p1 bra SIDE;\n" + others +
                      "SIDE: add.u32 %r9, %r1, %r1;\nst.global.u32 [%d0], %r9;\nret;";
      SCOPED_TRACE(body);
      expect_sound(compiled(body), 6);
    }
}

TEST(ModernCoreControlBits, ForcedBitsMarkTheProgramAsUnproven) {
  const std::string body = "add.u32 %r1, %r0, 1;\nadd.u32 %r2, %r1, 1;\nst.global.u32 [%d0], %r2;\nret;";
  EXPECT_FALSE(is_unproven(compiled(body)));
  const isa::Program forced =
      compiled(body, {"0.stall=1", "1.yield=1", "2.wait=3", "1.reuse.a=1", "2.write=none"});
  EXPECT_TRUE(is_unproven(forced));
  EXPECT_EQ(forced.code[0].control.stall, 1);
  EXPECT_TRUE(forced.code[1].control.yield);
  EXPECT_EQ(forced.code[2].control.wait_mask, 3);
  EXPECT_TRUE(forced.code[1].src[0].annotation.reuse);
  isa::Program proven = forced;
  proven.notes = {};
  EXPECT_THROW(check_control_bits(proven), Error);
}

TEST(ModernCoreControlBits, BitsThatDoNotExistAreRefused) {
  const std::string body = "add.u32 %r1, %r0, 1;\nst.global.u32 [%d0], %r1;\nret;";
  const auto expect = [&](const std::string& force, const std::string& part) {
    EXPECT_NE(error_of(body, {force}).find(part), std::string::npos) << error_of(body, {force});
  };
  expect("0.stall=16", "\"0.stall=16\" (add.u32 r2, r0, 1): \"16\" (allowed: 0 to 15)");
  expect("1.read=6", "counter 6 (allowed: 0 to 5, none)");
  expect("0.reuse.d0=1", "a reuse bit of a destination (allowed: of a source register");
  expect("0.reuse.b=1", "no source register");
  expect("9.stall=1", "no such instruction (allowed: an issued instruction, 0 to 2)");
  expect("0.wait=64", "(allowed: 0 to 63)");
  expect("0.colour=1", "no field \"colour\"");
  expect("stall", "not an assignment");
}

TEST(ModernCoreControlBits, MalformedBitsNameTheirPlace) {
  isa::Program program = compiled("add.u32 %r1, %r0, 1;\nst.global.u32 [%d0], %r1;\nret;");
  const auto what = [](const isa::Program& p) {
    try {
      check_control_bits(p);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  isa::Program wrong = program;
  wrong.code[0].control.stall = 16;
  EXPECT_NE(what(wrong).find("kernel k, instruction 0 \"add.u32 r"), std::string::npos) << what(wrong);
  EXPECT_NE(what(wrong).find("a stall of 16; allowed: 0 to 15"), std::string::npos);
  wrong = program;
  wrong.code[1].control.write_counter = 6;
  EXPECT_NE(what(wrong).find("counter 6; allowed: 0 to 5"), std::string::npos) << what(wrong);
  wrong = program;
  wrong.code[0].dst[0].annotation.reuse = true;
  EXPECT_NE(what(wrong).find("a reuse bit of a destination"), std::string::npos) << what(wrong);
  wrong = program;
  wrong.code[0].control.set = false;
  EXPECT_NE(what(wrong).find("no control bits"), std::string::npos) << what(wrong);
}

TEST(ModernCoreControlBits, ThePassIsLastAndNeedsLatencies) {
  CompilerParameters parameters = test::with_control_bits(test::ampere_latencies());
  parameters.passes.push_back(ConfigNode::make_string("swap-operands"));
  const isa::Program parsed = test::bare_kernel(std::string(kDeclarations) + "ret;");
  EXPECT_THROW(compile(parsed, parameters), Error);
  parameters.passes.pop_back();
  EXPECT_NO_THROW(compile(parsed, parameters));
  parameters.latencies = nullptr;
  EXPECT_THROW(compile(parsed, parameters), Error);
}

// Computes the storage cost of the control bits for a core with 48 warps. The cost is a share of the core's
// register file (four sub-cores with 512 registers of 1024 bits each). For comparison, the test also computes
// the cost of scoreboards. Scoreboards track 255 + 63 registers and 7 + 7 predicates of a warp. For each
// register and predicate, scoreboards have a bit for a pending write and a counter of pending readers (Huerta
// 2025, section 7.5).
TEST(ModernCoreControlBits, CostAShareOfTheRegisterFile) {
  const auto bits_for = [](unsigned largest) { return std::bit_width(largest); };
  constexpr double kWarps = 48, kFile = 4 * 512 * 1024;
  constexpr unsigned kMostRaises = 63, kNames = 255 + 63 + 7 + 7;
  const int control = isa::kDependenceCounters * bits_for(kMostRaises) + bits_for(isa::kLargestStall) + 1;
  EXPECT_EQ(control, 41);
  EXPECT_NEAR(100 * kWarps * control / kFile, 0.09, 0.005);
  const auto scoreboard = [&](unsigned readers) {
    return 100 * kWarps * kNames * (1.0 + bits_for(readers)) / kFile;
  };
  EXPECT_NEAR(scoreboard(1), 1.52, 0.005);
  EXPECT_NEAR(scoreboard(3), 2.28, 0.005);
  EXPECT_NEAR(scoreboard(63), 5.32, 0.005);
}

// Eight loads, each followed directly by a use of its value. The pass schedule-latencies must move the uses
// after the loads, but must not exceed a limit on registers.
TEST(ModernCoreSchedule, UsesMoveBehindLoads) {
  std::string body = "mov.u32 %r9, 0;\n";
  for (int n = 0; n < 8; ++n)
    body += fmt::format("ld.global.u32 %r{0}, [%d0+{1}];\nadd.u32 %r9, %r9, %r{0};\n", n, 4 * n);
  const isa::Program parsed = test::bare_kernel(kDeclarations + body + "st.global.u32 [%d0], %r9;\nret;");
  const auto order = [&](int registers_without_loss) {
    CompilerParameters parameters = test::with_passes({"schedule-latencies"});
    parameters.latencies = std::make_shared<const isa::LatencyTable>(test::ampere_latencies());
    parameters.resident_warps = [&](const isa::Program& p) {
      return static_cast<int>(p.registers) > registers_without_loss ? 4 : 8;
    };
    const isa::Program program = compile(parsed, parameters);
    std::string text;
    for (const isa::Instruction& i : program.code) text += isa::name_of(i.op)[0];
    return std::pair(text, program.registers);
  };
  EXPECT_EQ(order(63).first, "llllllllmaaaaaaaase");
  EXPECT_GT(order(63).second, 10u);
  EXPECT_LE(order(8).second, 8u);
  EXPECT_NE(order(8).first, order(63).first);
}

// A vector load may write the same register twice. The pass schedule-latencies must not lose an instruction.
TEST(ModernCoreSchedule, ALoadMayNameARegisterTwice) {
  const isa::Program parsed = test::bare_kernel(
      std::string(kDeclarations) +
      "ld.global.v2.u32 {%r1, %r1}, [%d0];\nadd.u32 %r2, %r1, 1;\nst.global.u32 [%d0], %r2;\nret;");
  CompilerParameters parameters = test::with_passes({"schedule-latencies"});
  parameters.latencies = std::make_shared<const isa::LatencyTable>(test::ampere_latencies());
  std::string text;
  for (const isa::Instruction& i : compile(parsed, parameters).code) text += isa::name_of(i.op)[0];
  EXPECT_EQ(text, "lase");
}

// Compiles the first kernel of each file in testbench/kernels, with and without the pass that moves loads.
// check_control_bits must accept all these programs.
TEST(ModernCoreControlBits, KernelsAreProven) {
  int kernels = 0;
  for (const std::string& folder : test::kernel_folders()) {
    SCOPED_TRACE(folder);
    const auto module =
        ptx::parse_module_file(test::repository_file("testbench/kernels/" + folder + "/kernel.ptx"));
    CompilerParameters parameters = test::with_control_bits(test::ampere_latencies());
    if (kernels++ % 2)
      parameters.passes.insert(parameters.passes.begin(), ConfigNode::make_string("schedule-latencies"));
    EXPECT_NO_THROW(compile(ptx::lower_kernel(*module, module->kernels().front().mangled), parameters));
  }
  EXPECT_GT(kernels, 80);
}

// Compiles random programs with divergence, loops and exits. check_control_bits must accept the control bits,
// and walks along random paths of the program must find no fault in them.
TEST(ModernCoreControlBits, RandomProgramsAreProven) {
  isa::LatencyTable other = test::ampere_latencies();
  for (isa::LatencyTable::Row& row : other.rows)
    row.cycles = 2 + static_cast<int>(&row - other.rows.data()) * 3 % 17;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const int n = static_cast<int>(seed % 8);
    const isa::Program parsed =
        test::kernel(test::random_body(31000 + seed, {6 + n * 4, 2 + n, 4 + n, 20 + 10 * n}));
    CompilerParameters parameters = test::with_control_bits(seed % 3 ? test::ampere_latencies() : other);
    parameters.max_registers = seed % 2 ? 63 : 16;
    expect_sound(compile(parsed, parameters), 4);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    fuzz::Dice dice(seed);
    expect_sound(compile(test::bare_kernel(test::tangle(dice, 4 + static_cast<int>(seed % 12))),
                         test::with_control_bits(test::ampere_latencies())),
                 4);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::compiler
