// If a kernel waits for ever, the reference must detect this, and report where the kernel waits. The
// reference must not report a wait that can end. Also tests that the threads of a warp progress
// independently.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/program_builder.h"

namespace heddle::reference::testing {
namespace {

using isa::AtomicOp;
using isa::Space;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kGate = isa::kBuffers, kSum = isa::kBuffers + 4;

Instruction& volatile_load(ProgramBuilder& b, std::uint32_t to, std::uint64_t address) {
  Instruction& load = b.load(DataType::u32, {r(to)}, imm(address, 64), Space::global);
  load.memory.ordering = isa::Ordering::volatile_;
  return load;
}

// Adds instructions with which each thread acquires a lock, adds 1, and releases the lock. The waiting loop
// is lines 1 to 3 of the program. The critical section is lines 4 to 7.
void add_lock(ProgramBuilder& b) {
  b.label("spin");
  b.atomic(AtomicOp::cas, DataType::b32, r(6), imm(kGate, 64), {imm(0), imm(1)}, Space::global);
  b.setp(isa::Compare::ne, p(0), r(6), imm(0));
  b.branch_if(p(0), "spin");
  volatile_load(b, 7, kSum);
  b.add_u32(r(7), r(7), imm(1));
  b.store(DataType::u32, imm(kSum, 64), {r(7)}, Space::global);
  b.atomic(AtomicOp::exch, DataType::b32, r(8), imm(kGate, 64), {imm(0)}, Space::global);
}

TEST(Standstill, AWarpThatWaitsForItsOwnLanesIsNamed) {
  ProgramBuilder b;
  add_lock(b);
  b.exit();
  b.program().sm = 61;
  Bench bench;
  const std::string error = bench.failure(b, 32);
  EXPECT_THAT(error, HasSubstr("test.ptx:"));
  EXPECT_THAT(error, HasSubstr("CTA (0,0,0) warp 0: lanes 1-31 repeat lines 1 to 3, which read 0x"));
  EXPECT_THAT(error, HasSubstr("(line 1); lane 0 waits for them at line 4"));
  EXPECT_THAT(error, HasSubstr("sm_70"));
}

TEST(Standstill, TheSameLockEndsWhereThreadsMakeProgress) {
  for (const std::uint32_t ctas : {1u, 3u})
    for (const int quantum : {1, 7, 64}) {
      ProgramBuilder b;
      add_lock(b);
      b.exit();
      b.program().sm = 75;
      Bench bench;
      bench.options.quantum = quantum;
      bench.options.max_warp_instructions = 1'000'000;
      bench.run(b, 96, ctas);
      EXPECT_EQ(bench.word(1), 96 * ctas);
      EXPECT_EQ(bench.word(0), 0u);
    }
}

TEST(Standstill, LanesMeetAgainBehindTheLock) {
  ProgramBuilder b;
  add_lock(b);
  b.sync();
  b.add(Opcode::vote, DataType::b32, {r(9)}, {imm(1, 1)}).modifiers.vote = isa::VoteMode::ballot;
  open_threads(b);
  close_threads(b, r(9));
  b.program().sm = 75;
  Bench bench;
  bench.options.max_warp_instructions = 1'000'000;
  bench.run(b, 64);
  for (std::uint32_t thread = 2; thread < 64; ++thread) EXPECT_EQ(bench.word(thread), kAllLanes) << thread;
}

// Warp 0 waits in a loop for a flag. Warp 1 would set the flag after a barrier, but waits at the barrier for
// warp 0. The error must name the barrier.
TEST(Standstill, ABarrierThatCannotBeCompleteIsNamed) {
  ProgramBuilder b;
  b.setp(isa::Compare::ge, p(1), special(SpecialRegister::tid_x), imm(32));
  b.branch_if(p(1), "others");
  b.label("spin");
  volatile_load(b, 6, kGate);
  b.setp(isa::Compare::eq, p(0), r(6), imm(0));
  b.branch_if(p(0), "spin");
  b.label("others");
  b.sync();
  b.store(DataType::u32, imm(kGate, 64), {imm(1)}, Space::global);
  b.exit();
  for (const std::uint32_t sm : {61u, 75u}) {
    b.program().sm = sm;
    Bench bench;
    const std::string error = bench.failure(b, 64);
    EXPECT_THAT(error, HasSubstr("warp 0: lanes 0-31 repeat lines 3 to 5, which read 0x"));
    EXPECT_THAT(error, HasSubstr("warp 1: waits at line 6 (barrier 0 has 1 of 2 warps)"));
  }
}

TEST(Standstill, ABarrierWithACountDoesNotCountExitedWarps) {
  ProgramBuilder b;
  b.setp(isa::Compare::ge, p(1), special(SpecialRegister::tid_x), imm(32));
  ProgramBuilder::guard(b.exit(), p(1));
  b.barrier(isa::BarrierKind::sync, imm(0), imm(64));
  b.exit();
  Bench bench;
  EXPECT_THAT(bench.failure(b, 64), HasSubstr("a barrier that can never be met: barrier 0 has 1 of 2 warps"));
}

// The first CTA waits for the last CTA. When all other CTAs wait, the last CTA becomes resident. So the wait
// can end, and the reference must not report it.
TEST(Standstill, ALoopThatWaitsForAnotherCtaIsNone) {
  ProgramBuilder b;
  b.setp(isa::Compare::ne, p(1), special(SpecialRegister::ctaid_x), imm(0));
  b.branch_if(p(1), "writer");
  b.label("spin");
  volatile_load(b, 6, kGate);
  b.setp(isa::Compare::eq, p(0), r(6), imm(0));
  b.branch_if(p(0), "spin");
  b.exit();
  b.label("writer");
  b.setp(isa::Compare::ne, p(1), special(SpecialRegister::ctaid_x), imm(5));
  b.branch_if(p(1), "spin");
  b.store(DataType::u32, imm(kGate, 64), {imm(9)}, Space::global);
  b.exit();
  Bench bench;
  bench.options.resident_ctas = 2;
  bench.run(b, 32, 6);
  EXPECT_EQ(bench.word(0), 9u);
}

// A loop that counts never repeats a state, so the reference cannot detect that the loop is endless. The
// limit on steps must end the run.
TEST(Standstill, ALoopThatCountsIsNoProof) {
  ProgramBuilder b;
  b.mov(r(5), imm(0));
  b.label("spin");
  b.add_u32(r(5), r(5), imm(1));
  volatile_load(b, 6, kGate);
  b.setp(isa::Compare::eq, p(0), r(6), imm(0));
  b.branch_if(p(0), "spin");
  b.exit();
  Bench bench;
  bench.options.endless_after = 12'000'000;
  EXPECT_THAT(bench.failure(b, 32), HasSubstr("an endless loop: in 12000000 warp-instructions"));
}

}  // namespace
}  // namespace heddle::reference::testing
