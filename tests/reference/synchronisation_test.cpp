// Tests barriers, waiting loops between warps and CTAs, and operations across lanes on the untimed reference.

#include <gtest/gtest.h>

#include "tests/reference/program_builder.h"

namespace heddle::reference::testing {
namespace {

using isa::BarrierKind;
using isa::Space;

TEST(Synchronisation, ASpinWaitForAnotherWarpEnds) {
  for (const std::uint32_t ctas : {1u, 4u}) {
    ProgramBuilder b;
    open_threads(b);
    b.add(Opcode::mov, DataType::b64, {r(4, 64)}, {imm(isa::kBuffers + 4 * 250, 64)});
    b.setp(isa::Compare::lt, p(0), r(kThread), imm(32));
    b.branch_if(p(0, true), "writer");
    b.label("spin");
    b.load(DataType::u32, {r(6)}, r(4, 64), Space::global);
    b.setp(isa::Compare::eq, p(1), r(6), imm(0));
    b.branch_if(p(1), "spin");
    close_threads(b, r(6));
    b.label("writer");
    b.setp(isa::Compare::ge, p(0), r(kThread), imm(96));
    ProgramBuilder::guard(b.store(DataType::u32, r(4, 64), {imm(9)}, Space::global), p(0));
    b.exit();
    Bench bench;
    bench.options.max_warp_instructions = 10000;
    bench.options.quantum = 4;
    bench.run(b, 128 / ctas, ctas);
    EXPECT_EQ(bench.word(5), 9u);
  }
}

TEST(Synchronisation, BarriersOrderAllWarpsOfACta) {
  ProgramBuilder b;
  open_threads(b);
  b.program().shared_bytes = 256 * 4;
  b.shl(r(4), special(SpecialRegister::tid_x), 2);
  b.add_u32(r(4), r(4), imm(isa::kSharedWindow));
  b.add_u32(r(5), special(SpecialRegister::tid_x), imm(32));
  b.add(Opcode::and_, DataType::b32, {r(5)}, {r(5), imm(255)});
  b.shl(r(5), r(5), 2);
  b.add_u32(r(5), r(5), imm(isa::kSharedWindow));
  b.mov(r(6), r(kThread));
  b.mov(r(8), imm(0));
  b.label("loop");
  b.store(DataType::u32, r(4), {r(6)}, Space::shared);
  b.sync();
  b.load(DataType::u32, {r(6)}, r(5), Space::shared);
  b.sync();
  b.add_u32(r(8), r(8), imm(1));
  b.setp(isa::Compare::lt, p(0), r(8), imm(20));
  b.branch_if(p(0), "loop");
  close_threads(b, r(6));
  Bench bench;
  bench.options.quantum = 3;
  bench.run(b, 256);
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(bench.word(i), (i + 20 * 32) % 256);
}

TEST(Synchronisation, ExitedWarpsCountAtABarrierOfTheWholeCta) {
  ProgramBuilder b;
  open_threads(b);
  b.setp(isa::Compare::ge, p(0), r(kThread), imm(64));
  ProgramBuilder::guard(b.exit(), p(0));
  b.sync();
  b.mov(r(4), imm(1));
  close_threads(b, r(4));
  for (int quantum : {1, 64}) {
    Bench bench;
    bench.options.quantum = quantum;
    bench.run(b, 128);
    EXPECT_EQ(bench.word(0), 1u);
    EXPECT_EQ(bench.word(63), 1u);
    EXPECT_EQ(bench.word(64), 0u);
  }
}

// Barrier 5 expects 128 threads. Warps 0 and 1 arrive at it and continue; warps 2 and 3 arrive and wait.
TEST(Synchronisation, NamedBarriersWithArrive) {
  ProgramBuilder b;
  open_threads(b);
  b.program().shared_bytes = 4;
  b.mov(r(9), imm(5));
  b.setp(isa::Compare::ge, p(0), r(kThread), imm(64));
  b.branch_if(p(0), "consumer");
  b.store(DataType::u32, imm(isa::kSharedWindow), {imm(33)}, Space::shared);
  b.barrier(BarrierKind::arrive, r(9), imm(128));
  b.exit();
  b.label("consumer");
  b.barrier(BarrierKind::sync, r(9), imm(128));
  b.load(DataType::u32, {r(6)}, imm(isa::kSharedWindow), Space::shared);
  close_threads(b, r(6));
  Bench bench;
  bench.options.quantum = 1;
  bench.run(b, 128);
  for (std::uint32_t i = 64; i < 128; ++i) EXPECT_EQ(bench.word(i), 33u);
}

TEST(Synchronisation, BarrierReductionsReachAllWarps) {
  ProgramBuilder b;
  open_threads(b);
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(37));
  b.barrier(BarrierKind::red_popc, imm(0), imm(0), {r(4)}, {p(0)});
  b.barrier(BarrierKind::red_and, imm(0), imm(0), {p(1)}, {p(0)});
  b.barrier(BarrierKind::red_or, imm(0), imm(0), {p(2)}, {p(0)});
  b.barrier(BarrierKind::red_popc, imm(0), imm(0), {r(5)}, {p(0, true)});
  b.add(Opcode::selp, DataType::u32, {r(6)}, {imm(1000), imm(0), p(1)});
  b.add(Opcode::selp, DataType::u32, {r(7)}, {imm(2000), imm(0), p(2)});
  b.add_u32(r(4), r(4), r(6));
  b.add_u32(r(4), r(4), r(7));
  b.shl(r(5), r(5), 16);
  b.add_u32(r(4), r(4), r(5));
  close_threads(b, r(4));
  Bench bench;
  bench.run(b, 80);
  for (std::uint32_t i = 0; i < 80; ++i) EXPECT_EQ(bench.word(i), 2037u + (43u << 16));
}

// The two halves of one warp reach two different barrier instructions. Each of the two instructions counts as
// an arrival of the whole warp.
TEST(Synchronisation, ABarrierInDivergentCodeCountsWarps) {
  ProgramBuilder b;
  open_threads(b);
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(16));
  b.branch_if(p(0), "low");
  b.sync();
  b.mov(r(4), imm(1));
  b.branch("join");
  b.label("low");
  b.sync();
  b.mov(r(4), imm(2));
  b.label("join");
  close_threads(b, r(4));
  Bench bench;
  EXPECT_EQ(bench.run(b, 32).barriers, 2u);
  EXPECT_EQ(bench.word(0), 2u);
  EXPECT_EQ(bench.word(31), 1u);
}

TEST(Synchronisation, VotesCountActiveLanes) {
  ProgramBuilder b;
  open_threads(b);
  b.mov(r(4), imm(0));
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(8));
  b.branch_if(p(0, true), "join");
  b.setp(isa::Compare::ge, p(1), r(kThread), imm(3));
  auto& vote = b.add(Opcode::vote, DataType::b32, {r(4)}, {p(1), imm(0xffffffff)});
  vote.modifiers.vote = isa::VoteMode::ballot;
  vote.modifiers.sync = true;
  b.label("join");
  close_threads(b, r(4));
  Bench bench;
  bench.run(b, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(bench.word(i), i < 8 ? 0xf8u : 0u);
}

TEST(Synchronisation, TheClockCountsInstructions) {
  ProgramBuilder b;
  open_threads(b);
  b.mov(r(4), special(SpecialRegister::clock));
  b.mov(r(5), special(SpecialRegister::clock));
  b.add(Opcode::sub, DataType::u32, {r(4)}, {r(5), r(4)});
  close_threads(b, r(4));
  Bench bench;
  bench.run(b, 32);
  EXPECT_EQ(bench.word(0), 1u);
}

}  // namespace
}  // namespace heddle::reference::testing
