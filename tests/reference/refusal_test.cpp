#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/program_builder.h"

namespace heddle::reference::testing {
namespace {

using isa::Space;
using ::testing::HasSubstr;

TEST(Refusal, OutOfBoundsNamesBufferLineCtaAndThread) {
  ProgramBuilder b;
  open_threads(b);
  close_threads(b, r(kThread));
  Bench bench(100);
  const std::string text = bench.failure(b, 64, 2);
  EXPECT_THAT(text,
              HasSubstr("test.ptx:3:1: kernel test_kernel, CTA (1,0,0), thread (36,0,0): store of 4 bytes at "
                        "0x200000190 is out of bounds"));
  EXPECT_THAT(text, HasSubstr("\"out\""));
}

TEST(Refusal, MisalignedAccess) {
  ProgramBuilder b;
  open_threads(b);
  b.load(DataType::u32, {r(4), r(5)}, r(kAddress, 64), Space::global);
  b.exit();
  Bench bench;
  EXPECT_THAT(bench.failure(b, 32),
              HasSubstr("thread (1,0,0): load of 8 bytes at 0x200000004 is misaligned"));
}

TEST(Refusal, WritesToConstantsAndParameters) {
  for (const auto& [address, name] :
       {std::pair{isa::kConstWindow, "constant"}, std::pair{isa::kParamWindow, "parameter"}}) {
    ProgramBuilder b;
    b.program().parameter_bytes = 8;
    b.store(DataType::u32, imm(address, 64), {imm(1)}, Space::generic);
    b.exit();
    Bench bench;
    bench.memory.allocate_at("table", isa::kConstWindow, 16, true);
    EXPECT_THAT(bench.failure(b, 1), HasSubstr(std::string("to ") + name + " memory"));
  }
}

TEST(Refusal, AnAddressOfAnotherSpace) {
  ProgramBuilder b;
  b.program().shared_bytes = 16;
  b.load(DataType::u32, {r(4)}, imm(isa::kSharedWindow, 64), Space::global);
  b.exit();
  Bench bench;
  EXPECT_THAT(bench.failure(b, 1), HasSubstr("an address of shared memory, through .global"));
}

TEST(Refusal, SharedAndLocalMemoryHaveTheirSize) {
  ProgramBuilder b;
  b.program().shared_bytes = 16;
  b.load(DataType::u32, {r(4)}, imm(isa::kSharedWindow + 16), Space::shared);
  b.exit();
  EXPECT_THAT(Bench().failure(b, 1), HasSubstr("offset 16 of 16 bytes of shared memory"));
  ProgramBuilder c;
  c.program().local_bytes = 8;
  c.load(DataType::u32, {r(4)}, imm(isa::kLocalWindow + 8), Space::local);
  c.exit();
  EXPECT_THAT(Bench().failure(c, 1), HasSubstr("offset 8 of 8 bytes of local memory"));
}

TEST(Refusal, AtomicsOnLocalMemory) {
  ProgramBuilder b;
  b.program().local_bytes = 8;
  b.atomic(isa::AtomicOp::add, DataType::u32, r(4), imm(isa::kLocalWindow, 64), {imm(1)}, Space::generic);
  b.exit();
  EXPECT_THAT(Bench().failure(b, 1), HasSubstr("atomic of 4 bytes at 0x2000000 to local memory"));
}

TEST(Refusal, ABarrierThatCanNeverBeMet) {
  ProgramBuilder b;
  open_threads(b);
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(32));
  b.branch_if(p(0), "one");
  b.barrier(isa::BarrierKind::sync, imm(1), imm(0));
  b.exit();
  b.label("one");
  b.barrier(isa::BarrierKind::sync, imm(2), imm(96));
  b.exit();
  const std::string text = Bench().failure(b, 96);
  EXPECT_THAT(text,
              HasSubstr("never be met: barrier 1 has 2 of 3 warps, barrier 2 has 1 of 3 warps, 0 of 3 warps "
                        "have exited"));
  EXPECT_THAT(text, HasSubstr("warp 0 at line 7, warp 1 at line 5, warp 2 at line 5"));
}

TEST(Refusal, APartialBarrierWhoseWarpsHaveExited) {
  ProgramBuilder b;
  open_threads(b);
  b.setp(isa::Compare::ge, p(0), r(kThread), imm(32));
  ProgramBuilder::guard(b.exit(), p(0));
  b.barrier(isa::BarrierKind::sync, imm(3), imm(64));
  b.exit();
  EXPECT_THAT(Bench().failure(b, 96), HasSubstr("barrier 3 has 1 of 2 warps, 2 of 3 warps have exited"));
}

TEST(Refusal, AnEndlessLoopUnderALimit) {
  ProgramBuilder b;
  b.label("loop");
  b.branch("loop");
  Bench bench;
  bench.options.max_warp_instructions = 1000;
  EXPECT_THAT(bench.failure(b, 64, 2), HasSubstr("test.ptx:1:1"));
  EXPECT_THAT(bench.failure(b, 64, 2), HasSubstr("more than 1000 warp-instructions: an endless loop?"));
}

TEST(Refusal, AnEndlessLoopIsFoundWithoutALimit) {
  ProgramBuilder b;
  open_threads(b);
  b.label("loop");
  b.store(DataType::u32, r(kAddress, 64), {imm(7)},
          Space::global);  // only the first instruction of this endless loop writes to memory
  b.branch("loop");
  Bench bench;
  bench.options.endless_after = 1000;
  const std::string text = bench.failure(b, 64, 2);
  EXPECT_THAT(text, HasSubstr("an endless loop: in 1000 warp-instructions no thread has ended"));
  EXPECT_THAT(text, HasSubstr("CTA (0,0,0) warp 1 is at line"));
}

TEST(Refusal, AFarIndexOfSharedMemoryIsOneOfSharedMemory) {
  ProgramBuilder b;
  b.load(DataType::u32, {r(4)}, imm(isa::kSharedWindow + 0x4000'0000, 64), Space::shared);
  b.exit();
  EXPECT_THAT(Bench().failure(b, 32),
              HasSubstr("out of bounds: offset 1073741824 of 0 bytes of shared memory (the launch gives no "
                        "\"shared_bytes\""));
}

TEST(Refusal, ASmallNumberIsNoAddressOfSharedMemory) {
  ProgramBuilder b;
  b.store(DataType::u32, imm(64, 64), {imm(7)}, Space::shared);
  b.exit();
  EXPECT_THAT(Bench().failure(b, 32),
              HasSubstr("(the number is no address of shared memory; as an argument, a launch "
                        "file's {\"shared\": BYTES} is one)"));
}

TEST(Refusal, TheLimitIsExact) {
  ProgramBuilder b;
  b.mov(r(0), imm(0));
  b.mov(r(0), imm(0));
  b.exit();
  Bench bench;
  bench.options.max_warp_instructions = 6;
  EXPECT_EQ(bench.failure(b, 64), "no error");
  bench.options.max_warp_instructions = 5;
  EXPECT_THAT(bench.failure(b, 64), HasSubstr("more than 5"));
}

TEST(Refusal, Trap) {
  ProgramBuilder b;
  open_threads(b);
  b.setp(isa::Compare::eq, p(0), r(kThread), imm(40));
  ProgramBuilder::guard(b.add(Opcode::trap, DataType::none, {}, {}), p(0));
  b.exit();
  EXPECT_THAT(Bench().failure(b, 64), HasSubstr("thread (40,0,0): trap"));
}

TEST(Refusal, LaunchesThatDoNotFit) {
  ProgramBuilder b;
  b.program().parameter_bytes = 4;
  b.exit();
  Bench bench;
  EXPECT_THAT(bench.failure(b, 1025), HasSubstr("a block of 1025 threads"));
  EXPECT_THAT(bench.failure(b, 0), HasSubstr("a block of 0 threads"));
  bench.launch.grid.y = 0;
  EXPECT_THAT(bench.failure(b, 32), HasSubstr("an empty grid"));
}

TEST(Refusal, RegistersBeyondTheProgramsOwn) {
  ProgramBuilder b;
  b.program().registers = 4;
  b.mov(r(4), imm(0));
  b.exit();
  EXPECT_THAT(Bench().failure(b, 32), HasSubstr("register 4 of 4"));
}

}  // namespace
}  // namespace heddle::reference::testing
