#include <gtest/gtest.h>

#include "tests/reference/program_builder.h"

namespace heddle::reference::testing {
namespace {

using isa::Space;

void mov64(ProgramBuilder& b, std::uint32_t pair, std::uint64_t value) {
  b.add(Opcode::mov, DataType::b64, {r(pair, 64)}, {imm(value, 64)});
}

struct NarrowLoad {
  DataType type;
  int bits;
  std::uint32_t low, high;
};

// Memory contains the bytes 80 ff 80 ff. Each row has a type of load, the width of the register, and the
// value that the register must have afterwards.
TEST(Memory, NarrowLoadsExtendToTheRegister) {
  const NarrowLoad rows[] = {{DataType::u8, 32, 0x80, 0},
                             {DataType::s8, 32, 0xffffff80, 0},
                             {DataType::s8, 16, 0xff80, 0},
                             {DataType::u8, 16, 0x80, 0},
                             {DataType::s8, 64, 0xffffff80, 0xffffffff},
                             {DataType::u8, 64, 0x80, 0},
                             {DataType::u16, 32, 0xff80, 0},
                             {DataType::s16, 32, 0xffffff80, 0},
                             {DataType::s16, 16, 0xff80, 0},
                             {DataType::b16, 16, 0xff80, 0},
                             {DataType::s32, 64, 0xff80ff80, 0xffffffff},
                             {DataType::u32, 64, 0xff80ff80, 0},
                             {DataType::f32, 32, 0xff80ff80, 0}};
  for (const auto& row : rows) {
    ProgramBuilder b;
    mov64(b, 4, isa::kBuffers);
    b.mov(r(7), imm(0));
    b.load(row.type, {r(6, row.bits)}, r(4, 64), Space::global);
    b.store(DataType::u32, r(4, 64), {r(6), r(7)}, Space::global, 8);
    b.exit();
    Bench bench;
    bench.set_word(0, 0xff80ff80);
    bench.run(b, 1);
    EXPECT_EQ(bench.word(2), row.low) << isa::name_of(row.type) << " to " << row.bits;
    EXPECT_EQ(bench.word(3), row.high) << isa::name_of(row.type) << " to " << row.bits;
  }
}

TEST(Memory, NarrowStoresTouchTheirBytesAlone) {
  ProgramBuilder b;
  mov64(b, 4, isa::kBuffers);
  b.mov(r(6), imm(0x11223344));
  b.store(DataType::u8, r(4, 64), {r(6)}, Space::global, 1);
  b.store(DataType::u16, r(4, 64), {r(6)}, Space::global, 6);
  b.exit();
  Bench bench;
  for (std::uint32_t i = 0; i < 2; ++i) bench.set_word(i, 0xeeeeeeee);
  bench.run(b, 1);
  EXPECT_EQ(bench.word(0), 0xeeee44eeu);
  EXPECT_EQ(bench.word(1), 0x3344eeeeu);
}

TEST(Memory, VectorsMoveLowElementFirst) {
  ProgramBuilder b;
  open_threads(b);
  b.address(4, isa::kBuffers, r(kThread), 16);
  b.load(DataType::u32, {r(8), r(9), Operand{}, r(11)}, r(4, 64), Space::global);
  b.add_u32(r(8), r(8), imm(1));
  b.store(DataType::u64, r(4, 64), {r(8, 64), r(10, 64)}, Space::global);
  b.exit();
  Bench bench;
  for (std::uint32_t i = 0; i < 128; ++i) bench.set_word(i, i);
  bench.run(b, 32);
  for (std::uint32_t i = 0; i < 128; ++i) {
    const std::uint32_t expected[] = {i + 1, i, kPoison, i};  // the vector load discards its third element
    EXPECT_EQ(bench.word(i), expected[i % 4]);
  }
}

TEST(Memory, OfSeveralLanesThatStoreToOneAddressTheHighestWins) {
  ProgramBuilder b;
  open_threads(b);
  mov64(b, 4, isa::kBuffers);
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(20));
  ProgramBuilder::guard(b.store(DataType::u32, r(4, 64), {r(kThread)}, Space::global), p(0));
  b.exit();
  Bench bench;
  bench.run(b, 32);
  EXPECT_EQ(bench.word(0), 19u);
}

TEST(Memory, AtomicsRunInLaneOrder) {
  ProgramBuilder b;
  open_threads(b);
  mov64(b, 4, isa::kBuffers + 512);
  b.atomic(isa::AtomicOp::exch, DataType::b32, r(6), r(4, 64), {r(kThread)}, Space::global);
  close_threads(b, r(6));
  Bench bench;
  bench.set_word(128, 77);
  bench.run(b, 32);
  EXPECT_EQ(bench.word(0), 77u);
  for (std::uint32_t i = 1; i < 32; ++i) EXPECT_EQ(bench.word(i), i - 1);
  EXPECT_EQ(bench.word(128), 31u);
}

TEST(Memory, CompareAndSwapOf64Bits) {
  ProgramBuilder b;
  mov64(b, 4, isa::kBuffers);
  b.atomic(isa::AtomicOp::cas, DataType::b64, r(6, 64), r(4, 64),
           {imm(0x100000002, 64), imm(0x300000004, 64)}, Space::global);
  b.store(DataType::u64, r(4, 64), {r(6, 64)}, Space::global, 8);
  b.exit();
  Bench bench;
  bench.set_word(0, 2);
  bench.set_word(1, 1);
  bench.run(b, 1);
  EXPECT_EQ(bench.word(0), 4u);
  EXPECT_EQ(bench.word(1), 3u);
  EXPECT_EQ(bench.word(2), 2u);
  EXPECT_EQ(bench.word(3), 1u);
}

TEST(Memory, SharedMemoryBelongsToTheCtaAndLocalMemoryToTheThread) {
  ProgramBuilder b;
  open_threads(b);
  b.program().shared_bytes = 64 * 4;
  b.program().local_bytes = 8;
  b.mov(r(4), special(SpecialRegister::tid_x));
  b.shl(r(4), r(4), 2);
  b.add_u32(r(5), r(4), imm(isa::kSharedWindow));
  b.store(DataType::u32, r(5), {r(kThread)}, Space::shared);
  b.store(DataType::u32, imm(isa::kLocalWindow + 4, 64), {r(kThread)}, Space::local);
  b.sync();
  b.add(Opcode::xor_, DataType::b32, {r(6)}, {r(4), imm(63 * 4)});
  b.add_u32(r(6), r(6), imm(isa::kSharedWindow));
  b.load(DataType::u32, {r(7)}, r(6), Space::generic);
  b.load(DataType::u32, {r(8)}, imm(isa::kLocalWindow + 4, 64), Space::generic);
  b.shl(r(7), r(7), 16);
  b.add_u32(r(7), r(7), r(8));
  close_threads(b, r(7));
  Bench bench;
  const ReferenceResult result = bench.run(b, 64, 2);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(bench.word(i), ((i ^ 63u) << 16) + i);
  EXPECT_EQ(result.shared_accesses, 8u);
  EXPECT_EQ(result.local_accesses, 8u);
  EXPECT_EQ(result.barriers, 4u);
}

TEST(Memory, FreshSharedAndLocalMemoryHoldsPoison) {
  ProgramBuilder b;
  open_threads(b);
  b.program().shared_bytes = 16;
  b.program().local_bytes = 8;
  b.load(DataType::u32, {r(4)}, imm(isa::kSharedWindow + 12), Space::shared);
  b.load(DataType::u32, {r(5)}, imm(isa::kLocalWindow), Space::local);
  b.add(Opcode::xor_, DataType::b32, {r(4)}, {r(4), r(5)});
  b.load(DataType::u8, {r(5)}, imm(isa::kSharedWindow + 1), Space::shared);
  b.add_u32(r(4), r(4), r(5));
  close_threads(b, r(4));
  Bench bench;
  bench.run(b, 32);
  // Fresh memory contains the poison pattern. The sum is (poison xor poison), which is 0, plus byte 1 of the
  // pattern.
  EXPECT_EQ(bench.word(7), 0xbeu);
}

TEST(Memory, GenericAccessMayMixWindowsInOneWarp) {
  ProgramBuilder b;
  open_threads(b);
  b.program().shared_bytes = 16;
  b.store(DataType::u32, imm(isa::kSharedWindow), {imm(55)}, Space::shared);
  mov64(b, 4, isa::kSharedWindow);
  b.setp(isa::Compare::lt, p(0), r(kThread), imm(16));
  ProgramBuilder::guard(b.add(Opcode::mov, DataType::b64, {r(4, 64)}, {r(kAddress, 64)}), p(0));
  b.load(DataType::u32, {r(6)}, r(4, 64), Space::generic);
  close_threads(b, r(6));
  Bench bench;
  bench.set_word(3, 9);
  const ReferenceResult result = bench.run(b, 32);
  EXPECT_EQ(bench.word(3), 9u);
  EXPECT_EQ(bench.word(4), 0u);
  EXPECT_EQ(bench.word(20), 55u);
  EXPECT_EQ(result.shared_accesses, 2u);
  EXPECT_EQ(result.global_accesses, 2u);
}

TEST(Memory, ParametersAndConstantsAreRead) {
  ProgramBuilder b;
  open_threads(b);
  b.program().parameter_bytes = 8;
  b.load(DataType::u32, {r(4)}, imm(isa::kParamWindow + 4), Space::param);
  b.load(DataType::u32, {r(5)}, imm(isa::kConstWindow + 64, 64), Space::constant);
  b.add_u32(r(4), r(4), r(5));
  b.add_u32(r(4), r(4), Operand::make_param(4, 32));
  close_threads(b, r(4));
  Bench bench;
  auto& table = bench.memory.allocate_at("table", isa::kConstWindow + 64, 4, true);
  table.data = {7, 0, 0, 0};
  bench.launch.parameters = {0, 0, 0, 0, 1, 2, 0, 0};
  bench.run(b, 32);
  EXPECT_EQ(bench.word(9), 7u + 0x201 + 0x201);
}

TEST(Memory, AddressesOf32BitsWrap) {
  ProgramBuilder b;
  b.program().shared_bytes = 16;
  mov64(b, 4, isa::kBuffers);
  b.mov(r(6), imm(isa::kSharedWindow + 8));
  b.store(DataType::u32, r(6), {imm(5)}, Space::shared, -4);
  b.load(DataType::u32, {r(7)}, imm(isa::kSharedWindow + 4), Space::shared);
  b.store(DataType::u32, r(4, 64), {r(7)}, Space::global);
  b.exit();
  Bench bench;
  bench.run(b, 1);
  EXPECT_EQ(bench.word(0), 5u);
}

TEST(Memory, SegmentsAreCountedOnce) {
  const std::pair<std::uint32_t, std::uint64_t> rows[] = {{4, 1}, {8, 2}, {128, 32}, {1024, 32}, {0, 1}};
  for (const auto& [stride, segments] : rows) {
    ProgramBuilder b;
    open_threads(b);
    b.address(4, isa::kBuffers, r(kThread), stride);
    b.load(DataType::u32, {r(6)}, r(4, 64), Space::global);
    b.exit();
    Bench bench(8192);
    EXPECT_EQ(bench.run(b, 32).global_segments, segments) << stride;
  }
}

}  // namespace
}  // namespace heddle::reference::testing
