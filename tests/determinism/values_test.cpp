// Values must exist only in the modelled storage. If a bit of a live value is flipped, the outputs must
// change. If a bit of unused storage is flipped, the outputs must not change. Every program loads a value,
// counts for several thousand cycles, and then uses the value. The bit is flipped while the program counts.

#include <gtest/gtest.h>

#include <algorithm>

#include "models/memory/load_store_unit.h"
#include "tests/determinism/small_run.h"

namespace heddle::small_run {
namespace {

constexpr Cycle kMidRun = 4000;
constexpr int kLane = 5, kBit = 3;

// Returns a program with the loop `wait` between the texts `before` and `after`. %o is out + 4 * thread, %i
// is in + 4 * thread.
std::string program(const std::string& before, const std::string& after) {
  return ".reg .b32 %r<20>; .reg .b64 %o, %i, %d<8>; .reg .pred %p<4>;\n"
         "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d0, %r0, 4;\n"
         "ld.param.u64 %o, [out];\nadd.s64 %o, %o, %d0;\nld.param.u64 %i, [in];\nadd.s64 %i, %i, %d0;\n" +
         before +
         "\nmov.u32 %r19, 600;\nWAIT:\nsub.u32 %r19, %r19, 1;\nsetp.ne.u32 %p3, %r19, 0;\n@%p3 bra WAIT;\n" +
         after + "\nst.global.u32 [%o], %r1;\nret;";
}

Request request_for(const std::string& before, const std::string& after) {
  Request request;
  request.body = program(before, after);
  request.at = kMidRun;
  return request;
}

// Expects that exactly the flipped bit of word kLane differs in the outputs.
void expect_flipped(const std::vector<std::uint32_t>& out, const std::vector<std::uint32_t>& reference) {
  for (std::uint32_t w = 0; w < kWords; ++w)
    EXPECT_EQ(out[w], reference[w] ^ (w == kLane ? 1u << kBit : 0u)) << "word " << w;
}

void check(Request request, bool live) {
  const std::vector<std::uint32_t> reference = run_reference(request);
  EXPECT_EQ(reference[kLane], 1000u + kLane);
  const Outcome outcome = run_timed(request);
  EXPECT_GT(outcome.cycles, 2 * kMidRun) << "the bit was flipped while the kernel counted";
  if (live)
    expect_flipped(outcome.out, reference);
  else
    EXPECT_EQ(outcome.out, reference);
  request.disturb = nullptr;
  EXPECT_EQ(run_timed(request).out, reference);
}

bool names(const isa::Operand& operand, std::uint32_t reg) {
  return operand.is_reg() && reg - operand.reg.value < static_cast<std::uint32_t>(operand.words());
}

std::size_t loop_head(const isa::Program& program) {
  for (std::size_t i = 0; i < program.code.size(); ++i)
    if (program.code[i].is_branch() && program.code[i].target <= static_cast<std::int32_t>(i))
      return static_cast<std::size_t>(program.code[i].target);
  throw Error("values_test", "the program has no loop");
}

bool named_from(const isa::Program& program, std::size_t first, std::uint32_t reg) {
  for (std::size_t i = first; i < program.code.size(); ++i)
    for (const auto operands : {program.code[i].sources(), program.code[i].destinations()})
      if (std::any_of(operands.begin(), operands.end(), [&](const auto& o) { return names(o, reg); }))
        return true;
  return false;
}

RegId stored_register(const isa::Program& program) {
  for (std::size_t i = program.code.size(); i-- > 0;)
    if (program.code[i].op == isa::Opcode::st) return program.code[i].src[1].reg;
  throw Error("values_test", "the program has no store");
}

RegId dead_register(const isa::Program& program) {
  const std::size_t head = loop_head(program);
  for (std::uint32_t r = 0; r < program.registers; ++r)
    if (!named_from(program, head, r)) return RegId(r);
  throw Error("values_test", "every register is used after the loop");
}

const char* const kLoad = "ld.global.u32 %r1, [%i];";
const char* const kLoadAndSum =
    "ld.global.u32 %r1, [%i];\nld.global.u32 %r2, [%i+128];\nld.global.u32 %r3, [%i+256];\nld.global.u32 "
    "%r4, [%i+384];\n"
    "add.u32 %r5, %r2, %r3;\nadd.u32 %r5, %r5, %r4;\nst.global.u32 [%o+512], %r5;";

class Registers : public testing::TestWithParam<const char*> {};

TEST_P(Registers, ALiveOneShows) {
  Request request = request_for(kLoad, "");
  request.preset = GetParam();
  request.disturb = [](Gpu& gpu, const isa::Program& program) {
    const RegId reg = stored_register(program);
    EXPECT_EQ(gpu.sm(0).debug_register(WarpId(0), reg)[kLane], 1000u + kLane);
    EXPECT_TRUE(gpu.sm(0).flip_register_bit(WarpId(0), reg, kLane, kBit));
  };
  check(request, true);
}

TEST_P(Registers, ADeadOneDoesNot) {
  Request request = request_for(kLoadAndSum, "");
  request.preset = GetParam();
  request.disturb = [](Gpu& gpu, const isa::Program& program) {
    EXPECT_TRUE(gpu.sm(0).flip_register_bit(WarpId(0), dead_register(program), kLane, kBit));
  };
  check(request, false);
}

TEST_P(Registers, ThoseOfAWarpThatHasExitedDoNot) {
  Request request = request_for("setp.ge.u32 %p1, %r0, 32;\n@%p1 exit;\nld.global.u32 %r1, [%i];", "");
  request.preset = GetParam();
  request.threads = 64;
  request.disturb = [](Gpu& gpu, const isa::Program& program) {
    EXPECT_TRUE(gpu.sm(0).flip_register_bit(WarpId(1), stored_register(program), kLane, kBit));
  };
  check(request, false);
}

INSTANTIATE_TEST_SUITE_P(, Registers,
                         testing::Values("fermi-gebhart", "fermi-gtx480", "kepler-gtx780", "maxwell-gtx980"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

const char* const kShared =
    ".shared .align 4 .b8 words[1024];\nmov.u32 %r2, words;\nmad.lo.u32 %r2, %r0, 4, %r2;\n"
    "ld.global.u32 %r1, [%i];\nst.shared.u32 [%r2], %r1;\nst.shared.u32 [%r2+512], %r1;";
const char* const kFromShared = "ld.shared.u32 %r1, [%r2];";

TEST(SharedMemory, ALiveWordShows) {
  Request request = request_for(kShared, kFromShared);
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.sm(0).load_store().flip_shared_bit(CtaSlot(0), 4 * kLane, kBit));
  };
  check(request, true);
}

TEST(SharedMemory, AWordThatIsNotReadAgainDoesNot) {
  Request request = request_for(kShared, kFromShared);
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.sm(0).load_store().flip_shared_bit(CtaSlot(0), 512 + 4 * kLane, kBit));
  };
  check(request, false);
}

const char* const kTwice =
    "ld.global.u32 %r2, [%i];\nld.global.u32 %r3, [%i+256];\nadd.u32 %r2, %r2, %r3;\n"
    "st.global.u32 [%o+512], %r2;";
const char* const kAgain = "ld.global.u32 %r1, [%i];";

TEST(L1Lines, ALiveOneShows) {
  Request request = request_for(kTwice, kAgain);
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.sm(0).load_store().flip_l1_bit(in_address() + 4 * kLane, kBit));
  };
  check(request, true);
}

TEST(L1Lines, OneThatIsNotReadAgainDoesNot) {
  Request request = request_for(kTwice, kAgain);
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.sm(0).load_store().flip_l1_bit(in_address() + 256 + 4 * kLane, kBit));
  };
  check(request, false);
}

TEST(L1Lines, OneThatALoadBypassesDoesNot) {
  Request request = request_for(kTwice, "ld.global.cg.u32 %r1, [%i];");
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.sm(0).load_store().flip_l1_bit(in_address() + 4 * kLane, kBit));
  };
  check(request, false);
}

TEST(L2Lines, ALiveOneShows) {
  Request request = request_for(kTwice, kAgain);
  request.sets = {"gpu.sm.load_store.l1.enabled=false"};
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.memory().flip_bit(in_address() + 4 * kLane, kBit));
  };
  check(request, true);
}

TEST(L2Lines, OneBelowALineOfTheL1DoesNot) {
  Request request = request_for(kTwice, kAgain);
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.memory().flip_bit(in_address() + 4 * kLane, kBit));
  };
  check(request, false);
}

TEST(L2Lines, OneThatIsNotReadAgainDoesNot) {
  Request request = request_for(kTwice, kAgain);
  request.sets = {"gpu.sm.load_store.l1.enabled=false"};
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.memory().flip_bit(in_address() + 256 + 4 * kLane, kBit));
  };
  check(request, false);
}

// Written data stay in the L2 until the end, so a flipped bit shows in the output.
TEST(L2Lines, AResultThatIsNotYetWrittenBackShows) {
  Request request =
      request_for("ld.global.u32 %r2, [%i];\nst.global.u32 [%o], %r2;\nld.global.u32 %r1, [%i+128];",
                  "add.s64 %o, %o, 512;");
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.memory().flip_bit(out_address() + 4 * kLane, kBit));
  };
  check(request, true);
}

TEST(GlobalMemory, ALiveWordShows) {
  Request request = request_for(kTwice, kAgain);
  request.preset = "fermi-gebhart";
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.memory().flip_bit(in_address() + 4 * kLane, kBit));
  };
  check(request, true);
}

TEST(GlobalMemory, AWordThatIsNotReadAgainDoesNot) {
  Request request = request_for(kTwice, kAgain);
  request.preset = "fermi-gebhart";
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.memory().flip_bit(in_address() + 256 + 4 * kLane, kBit));
  };
  check(request, false);
}

TEST(GlobalMemory, AValueThatIsInARegisterDoesNot) {
  Request request = request_for(kLoad, "");
  request.preset = "fermi-gebhart";
  request.disturb = [](Gpu& gpu, const isa::Program&) {
    EXPECT_TRUE(gpu.memory().flip_bit(in_address() + 4 * kLane, kBit));
  };
  check(request, false);
}

}  // namespace
}  // namespace heddle::small_run
