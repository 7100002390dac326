#include <gtest/gtest.h>

#include "tests/reference/program_builder.h"

namespace heddle::reference::testing {
namespace {

TEST(Execution, EveryThreadWritesItsOwnResult) {
  ProgramBuilder b;
  open_threads(b);
  b.add_u32(r(4), r(kThread), imm(1000));
  close_threads(b, r(4));
  Bench bench;
  const ReferenceResult result = bench.run(b, 48, 3);
  for (std::uint32_t i = 0; i < 144; ++i) EXPECT_EQ(bench.word(i), 1000 + i);
  EXPECT_EQ(bench.word(144), 0u);
  EXPECT_EQ(result.ctas, 3u);
  EXPECT_EQ(result.warps, 6u);
  EXPECT_EQ(result.warp_instructions, 6u * 5);
  EXPECT_EQ(result.thread_instructions, 144u * 5);
  EXPECT_EQ(result.by_class[static_cast<std::size_t>(isa::OpClass::memory)], 6u);
  EXPECT_EQ(result.by_unit[static_cast<std::size_t>(isa::UnitClass::control)], 6u);
  EXPECT_EQ(result.global_accesses, 6u);
  EXPECT_EQ(result.issues, (std::vector<std::uint64_t>{6, 6, 6, 6, 6}));
}

TEST(Execution, GuardsKeepOtherLanesValues) {
  ProgramBuilder b;
  open_threads(b);
  b.mov(r(4), imm(7));
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(10));
  ProgramBuilder::guard(b.add(Opcode::add, DataType::u32, {r(4)}, {r(4), imm(1)}), p(0));
  ProgramBuilder::guard(b.add(Opcode::add, DataType::u32, {r(4)}, {r(4), imm(100)}), p(0, true));
  close_threads(b, r(4));
  Bench bench;
  bench.run(b, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(bench.word(i), i < 10 ? 8u : 107u);
}

// Lane i leaves the loop after i + 1 iterations. Its result must be the sum of the numbers 0 to i.
TEST(Execution, LanesLeaveALoopOneByOne) {
  ProgramBuilder b;
  open_threads(b);
  b.mov(r(4), imm(0));
  b.mov(r(5), imm(0));
  b.label("loop");
  b.add_u32(r(4), r(4), r(5));
  b.add_u32(r(5), r(5), imm(1));
  b.setp(isa::Compare::le, p(0), r(5), r(kThread));
  b.branch_if(p(0), "loop");
  close_threads(b, r(4));
  Bench bench;
  const ReferenceResult result = bench.run(b, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(bench.word(i), i * (i + 1) / 2);
  EXPECT_EQ(result.branches, 32u);
  EXPECT_EQ(result.divergent_branches, 31u);
  EXPECT_EQ(result.threads[6], 32u * 33 / 2);
  EXPECT_EQ(result.threads[7], 32u * 31 / 2);
  EXPECT_EQ(result.issues[8], 1u);
}

TEST(Execution, TheFallThroughSideOfABranchRunsFirst) {
  ProgramBuilder b;
  open_threads(b);
  b.add(Opcode::mov, DataType::b64, {r(6, 64)}, {imm(isa::kBuffers + 400, 64)});
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(16));
  b.branch_if(p(0), "taken");
  b.atomic(isa::AtomicOp::add, DataType::u32, r(8), r(6, 64), {imm(1)}, isa::Space::global);
  b.branch("join");
  b.label("taken");
  b.atomic(isa::AtomicOp::add, DataType::u32, r(8), r(6, 64), {imm(1)}, isa::Space::global);
  b.label("join");
  close_threads(b, r(8));
  Bench bench;
  const ReferenceResult result = bench.run(b, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(bench.word(i), (i + 16) % 32) << i;
  EXPECT_EQ(result.atomics, 32u);
  EXPECT_EQ(result.divergent_branches, 1u);
}

TEST(Execution, LanesThatExitEarlyLeaveTheOthersAlone) {
  ProgramBuilder b;
  open_threads(b);
  b.setp(isa::Compare::ge, p(0), r(kThread), imm(20));
  ProgramBuilder::guard(b.exit(), p(0));
  b.setp(isa::Compare::lt, p(1), r(kThread), imm(5));
  b.branch_if(p(1), "out");
  b.mov(r(4), imm(1));
  close_threads(b, r(4));
  b.label("out");
  b.exit();
  Bench bench;
  bench.run(b, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(bench.word(i), i >= 5 && i < 20 ? 1u : 0u);
}

TEST(Execution, SpecialRegistersTellThePlace) {
  const std::pair<SpecialRegister, std::uint32_t> expected[] = {{SpecialRegister::tid_x, 1},
                                                                {SpecialRegister::tid_y, 2},
                                                                {SpecialRegister::tid_z, 1},
                                                                {SpecialRegister::ctaid_x, 1},
                                                                {SpecialRegister::ctaid_y, 2},
                                                                {SpecialRegister::ctaid_z, 3},
                                                                {SpecialRegister::ntid_x, 3},
                                                                {SpecialRegister::ntid_y, 4},
                                                                {SpecialRegister::ntid_z, 2},
                                                                {SpecialRegister::nctaid_x, 2},
                                                                {SpecialRegister::nctaid_y, 3},
                                                                {SpecialRegister::nctaid_z, 4},
                                                                {SpecialRegister::laneid, 19},
                                                                {SpecialRegister::warpid, 0},
                                                                {SpecialRegister::gridid, 6},
                                                                {SpecialRegister::smid, 0},
                                                                {SpecialRegister::nsmid, 1},
                                                                {SpecialRegister::dynamic_smem_size, 256},
                                                                {SpecialRegister::lanemask_eq, 0x00080000},
                                                                {SpecialRegister::lanemask_lt, 0x0007ffff},
                                                                {SpecialRegister::lanemask_le, 0x000fffff},
                                                                {SpecialRegister::lanemask_ge, 0xfff80000},
                                                                {SpecialRegister::lanemask_gt, 0xfff00000}};
  ProgramBuilder b;
  b.setp(isa::Compare::ne, p(0), special(SpecialRegister::laneid), imm(19));
  ProgramBuilder::guard(b.exit(), p(0));
  std::int64_t offset = 0;
  for (const auto& [name, value] : expected) {
    b.mov(r(6), special(name));
    b.store(DataType::u32, imm(isa::kBuffers, 64), {r(6)}, isa::Space::global, offset);
    offset += 4;
  }
  b.exit();
  Bench bench;
  bench.launch.id = KernelId(6);
  bench.launch.dynamic_shared_bytes = 256;
  bench.launch.program = std::make_shared<const isa::Program>(b.build());
  bench.launch.block = {3, 4, 2};
  bench.launch.grid = {2, 3, 4};
  bench.options.first_cta = 23;
  run_reference(bench.launch, bench.memory, bench.options);
  for (std::uint32_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(bench.word(i), expected[i].second) << isa::name_of(expected[i].first);
}

TEST(Execution, FreshRegistersHoldPoisonAndFreshPredicatesAreFalse) {
  ProgramBuilder b;
  open_threads(b);
  b.add(Opcode::selp, DataType::u32, {r(5)}, {imm(1), r(4), p(3)});
  close_threads(b, r(5));
  Bench bench;
  bench.run(b, 32);
  EXPECT_EQ(bench.word(31), kPoison);
}

TEST(Execution, ASampleRunsItsCtasAlone) {
  ProgramBuilder b;
  open_threads(b);
  b.mov(r(4), imm(1));
  close_threads(b, r(4));
  Bench bench;
  bench.options.first_cta = 2;
  bench.options.cta_count = 3;
  const ReferenceResult result = bench.run(b, 32, 8);
  EXPECT_EQ(result.ctas, 3u);
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(bench.word(i), i / 32 >= 2 && i / 32 < 5 ? 1u : 0u);
}

TEST(Execution, InterleavingDoesNotChangeIndependentThreads) {
  std::vector<std::uint32_t> first;
  for (int resident : {1, 3, 16}) {
    ProgramBuilder b;
    open_threads(b);
    b.add(Opcode::mul, DataType::u32, {r(4)}, {r(kThread), r(kThread)}).modifiers.part = isa::Part::lo;
    close_threads(b, r(4));
    Bench bench;
    bench.options.resident_ctas = resident;
    bench.options.quantum = resident;
    bench.run(b, 40, 6);
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < 240; ++i) words.push_back(bench.word(i));
    if (first.empty()) first = words;
    EXPECT_EQ(words, first);
    EXPECT_EQ(words[239], 239u * 239u);
  }
}

// Each CTA increments a counter and waits until all CTAs have done so. At first, only some CTAs are resident.
// The reference must make the other CTAs resident too.
TEST(Execution, CtasThatWaitForEachOtherAreMadeResident) {
  ProgramBuilder b;
  const Operand counter = imm(isa::kBuffers, 64);
  b.atomic(isa::AtomicOp::add, DataType::u32, r(5), counter, {imm(1)}, isa::Space::global);
  b.label("loop");
  b.load(DataType::u32, {r(4)}, counter, isa::Space::global);
  b.setp(isa::Compare::lt, p(0), r(4), imm(5 * 32));
  b.branch_if(p(0), "loop");
  b.exit();
  Bench bench;
  bench.options.resident_ctas = 2;
  bench.options.endless_after = 50'000'000;
  bench.run(b, 32, 5);
  EXPECT_EQ(bench.word(0), 5u * 32u);
}

class Recorder : public Observer {
 public:
  void before(const ExecutedInstruction& e) override { sources.push_back(e.registers[4][0]); }
  void after(const ExecutedInstruction& e) override {
    results.push_back(e.registers[4][0]);
    executing.push_back(e.executing);
  }
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override {
    lines.push_back(e.instruction.location.ptx_line);
    last = addresses[31];
  }
  std::vector<std::uint32_t> sources, results, lines;
  std::vector<LaneMask> executing;
  std::uint64_t last = 0;
};

TEST(Execution, AnObserverSeesValuesBeforeAndAfter) {
  ProgramBuilder b;
  open_threads(b);
  b.mov(r(4), imm(5));
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(8));
  ProgramBuilder::guard(b.add(Opcode::add, DataType::u32, {r(4)}, {r(4), imm(1)}), p(0));
  close_threads(b, r(4));
  Bench bench;
  Recorder recorder;
  bench.options.observer = &recorder;
  bench.run(b, 32);
  EXPECT_EQ(recorder.sources, (std::vector<std::uint32_t>{kPoison, kPoison, kPoison, 5, 5, 6, 6}));
  EXPECT_EQ(recorder.results, (std::vector<std::uint32_t>{kPoison, kPoison, 5, 5, 6, 6, 6}));
  EXPECT_EQ(recorder.executing[4], 0xffu);
  EXPECT_EQ(recorder.lines, std::vector<std::uint32_t>{6});
  EXPECT_EQ(recorder.last, isa::kBuffers + 31 * 4);
}

TEST(Execution, MetadataIsSkippedAndNotCounted) {
  ProgramBuilder b;
  open_threads(b);
  b.add(Opcode::nop, DataType::none, {}, {}).metadata = true;
  b.mov(r(4), imm(3));
  close_threads(b, r(4));
  Bench bench;
  EXPECT_EQ(bench.run(b, 32).warp_instructions, 5u);
  EXPECT_EQ(bench.word(0), 3u);
}

}  // namespace
}  // namespace heddle::reference::testing
