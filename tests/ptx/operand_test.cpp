// Tests operands of PTX instructions: registers and their numbers, scopes, ranges, vectors, immediates,
// special registers, addresses.

#include <gtest/gtest.h>

#include "models/isa/address_map.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

using isa::Operand;
using test::listing;
using test::lower;
using Lines = std::vector<std::string>;

TEST(Operands, RegistersAreNumberedInWordsByFirstUse) {
  const isa::Program p = lower("add.s64 %d7, %d3, %d7; add.s32 %r1, %r98, 1; setp.eq.s32 %p3, %r1, 0;");
  EXPECT_EQ(isa::to_string(p.code[0]), "add.s64 rd0, rd2, rd0");
  EXPECT_EQ(isa::to_string(p.code[1]), "add.s32 r4, r5, 1");
  EXPECT_EQ(p.registers, 6u);
  EXPECT_EQ(p.predicates, 1u);
  EXPECT_EQ(p.register_names, (Lines{"%d7.lo", "%d7.hi", "%d3.lo", "%d3.hi", "%r1", "%r98"}));
  EXPECT_EQ(p.predicate_names, (Lines{"%p3"}));
  EXPECT_FALSE(p.architected);
}

TEST(Operands, BlocksHaveRegistersOfTheirOwn) {
  EXPECT_EQ(listing("mov.u32 %r1, 1; { .reg .b32 %r<9>; mov.u32 %r1, 2; { .reg .b64 %r1; mov.u64 %r1, 3; }\n"
                    "mov.u32 %r1, 4; } mov.u32 %r1, 5;"),
            (Lines{"mov.u32 r0, 1", "mov.u32 r1, 2", "mov.u64 rd2, 3", "mov.u32 r1, 4", "mov.u32 r0, 5"}));
}

TEST(Operands, RangesMayEndInDigits) {
  EXPECT_EQ(listing(".reg .b32 %x1<3>; .reg .b64 %x<2>; mov.u32 %x11, 1; mov.u64 %x1, 2;"),
            (Lines{"mov.u32 r0, 1", "mov.u64 rd1, 2"}));
}

TEST(Operands, ImmediatesAreCutToTheirType) {
  const isa::Program p = lower(
      "add.s32 %r1, %r2, -1; add.s16 %h1, %h2, -1; add.s64 %d1, %d2, -1; and.b32 %r1, %r2, 0x1FFFFFFFF;\n"
      "add.f32 %f1, %f2, 0f3F800000; add.f32 %f1, %f2, 1.5; add.f64 %fd1, %fd2, 1.5; add.f64 %fd1, %fd2, "
      "0f3F800000;\n"
      "mov.b32 %r1, 0f3F800000; add.s32 %r1, %r2, WARP_SZ*(1<<2); mov.b64 %d1, 0d3FF0000000000000;\n"
      "add.s32 %r1, %r2, 0b101; add.s32 %r1, %r2, 010; mov.pred %p1, -1; add.f32 %f1, %f2, -1.0;");
  const std::uint64_t expected[] = {0xffffffff, 0xffff,     ~std::uint64_t{0},  0xffffffff,
                                    0x3f800000, 0x3fc00000, 0x3ff8000000000000, 0x3ff0000000000000,
                                    0x3f800000, 128,        0x3ff0000000000000, 5,
                                    8,          1,          0xbf800000};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const isa::Instruction& instruction = p.code[i];
    const Operand& o = instruction.src[instruction.num_src - 1];
    EXPECT_EQ(o.kind, Operand::Kind::immediate) << i;
    EXPECT_EQ(o.value, expected[i]) << i;
  }
  EXPECT_EQ(p.code[1].src[1].bits, 16);
  EXPECT_EQ(p.code[2].src[1].bits, 64);
  EXPECT_EQ(p.code[13].src[0].bits, 1);
}

TEST(Operands, SpecialRegisters) {
  const isa::Program p = lower(
      "mov.u32 %r1, %tid.x; mov.u32 %r1, %nctaid.z; mov.u64 %d1, %gridid; mov.u32 %r2, %envreg31; mov.u32 "
      "%r1, %lanemask_ge; cvt.u32.u16 %r1, %ntid.y; add.u32 %r3, %r3, %laneid;");
  EXPECT_EQ(p.code[0].src[0].special, isa::SpecialRegister::tid_x);
  EXPECT_EQ(p.code[1].src[0].special, isa::SpecialRegister::nctaid_z);
  EXPECT_EQ(p.code[2].src[0].bits, 64);
  EXPECT_EQ(p.code[3].src[0].index, 31);
  EXPECT_EQ(p.code[4].src[0].special, isa::SpecialRegister::lanemask_ge);
  EXPECT_EQ(p.code[5].src[0].bits, 16);
  EXPECT_EQ(p.code[6].src[1].kind, Operand::Kind::special);
  EXPECT_FALSE(p.reads_time());
  EXPECT_FALSE(p.reads_placement());
  EXPECT_TRUE(lower("mov.u64 %d1, %clock64;").reads_time());
  EXPECT_TRUE(lower("mov.u32 %r1, %globaltimer_lo;").reads_time());
  EXPECT_TRUE(lower("mov.u32 %r1, %smid;").reads_placement());
}

TEST(Operands, Addresses) {
  const std::string top = ".global .b8 g[64];\n.const .u32 c[4];\n";
  const isa::Program p = lower(
      "ld.global.u32 %r1, [%d1+8]; ld.global.u32 %r1, [%d1+-8]; ld.global.u32 %r1, [%d1-8]; ld.shared.u32 "
      "%r1, [%r2];\n"
      "ld.global.u32 %r1, [g+4]; ld.const.u32 %r1, [c+2*4]; ld.param.u32 %r1, [n]; ld.param.u32 %r1, [p+4];\n"
      "ld.u32 %r1, [g]; ld.shared.u32 %r1, [16]; ld.u32 %r1, [%d1 + 4*3];",
      top);
  EXPECT_EQ(p.code[0].memory.offset, 8);
  EXPECT_EQ(p.code[1].memory.offset, -8);
  EXPECT_EQ(p.code[2].memory.offset, -8);
  EXPECT_EQ(p.code[3].src[0].bits, 32);
  EXPECT_EQ(p.code[4].src[0].value, isa::kModuleGlobals + 4096 + 4);
  EXPECT_EQ(p.code[5].src[0].value, isa::kConstWindow + 8);
  EXPECT_EQ(p.code[6].src[0].value, isa::kParamWindow + 8);
  EXPECT_EQ(p.code[6].memory.space, isa::Space::param);
  EXPECT_EQ(p.code[7].src[0].value, isa::kParamWindow + 4);
  EXPECT_EQ(p.code[8].memory.space, isa::Space::generic);
  EXPECT_EQ(p.code[9].src[0].value, 16u);
  EXPECT_EQ(p.code[10].memory.offset, 12);
}

TEST(Operands, AddressesOfVariables) {
  const isa::Program p = lower(
      "mov.u64 %d1, g; mov.u64 %d1, g+12; cvta.global.u64 %d2, g; mov.u64 %d3, p; cvta.const.u64 %d4, c+4; "
      "mov.u32 %r1, c;",
      ".global .b8 g[64];\n.const .u32 c[4];\n");
  const std::uint64_t g = isa::kModuleGlobals + 4096;
  const std::uint64_t expected[] = {
      g, g + 12, g, isa::kParamWindow, isa::kConstWindow + 4, isa::kConstWindow};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(p.code[i].src[0].value, expected[i]) << i;
  EXPECT_EQ(p.code[2].op, isa::Opcode::cvta);
}

TEST(Operands, VectorsAndSinks) {
  EXPECT_EQ(listing("ld.global.v2.f32 {%f1, _}, [%d1]; st.global.v4.u32 [%d1], {%r1, 2, %r3, %r3};\n"
                    "mov.b64 {%r1, %r2}, %d1; mov.b64 {_, %r2}, %d1; mov.b64 %d1, {%r1, %r2}; mov.b32 %r1, "
                    "{%h1, %h2};\n"
                    "mov.b64 %d1, {%h1, %h2, %h1, %h2};"),
            (Lines{"ld.global.v2.f32 {r0, _}, [rd1]", "st.global.v4.u32 [rd1], {r3, 2, r4, r4}",
                   "mov.b64 {r3, r5}, rd1", "mov.b64 {_, r5}, rd1", "mov.b64 rd1, {r3, r5}",
                   "mov.b32 r3, {r6, r7}", "mov.b64 rd1, {r6, r7, r6, r7}"}));
}

TEST(Operands, VectorRegisters) {
  EXPECT_EQ(
      listing(".reg .v4 .f32 %v; .reg .v2 .b32 %w<3>; ld.global.v4.f32 %v, [%d1]; add.f32 %f1, %v.x, %v.a;\n"
              "st.global.v2.b32 [%d1], %w1; mov.b32 %w1.y, %r1;"),
      (Lines{"ld.global.v4.f32 {r0, r1, r2, r3}, [rd4]", "add.f32 r6, r0, r3",
             "st.global.v2.b32 [rd4], {r7, r8}", "mov.b32 r8, r9"}));
}

TEST(Operands, NarrowDataInWideRegisters) {
  const isa::Program p = lower(
      "ld.global.s8 %r1, [%d1]; ld.global.u8 %d2, [%d1]; st.global.u8 [%d1], %d2; cvt.s32.s8 %r1, %h1; "
      "cvt.u8.u32 %h1, %r1; cvt.s64.s16 %d1, %r1;");
  EXPECT_EQ(p.code[0].dst[0].bits, 32);
  EXPECT_EQ(p.code[0].type, isa::DataType::s8);
  EXPECT_EQ(p.code[0].memory.element_bytes, 1);
  EXPECT_EQ(p.code[1].dst[0].bits, 64);
  EXPECT_EQ(p.code[2].src[1].bits, 64);
  EXPECT_EQ(p.code[2].memory.element_bytes, 1);
  EXPECT_EQ(p.code[3].src[0].bits, 16);
  EXPECT_EQ(p.code[3].source_type, isa::DataType::s8);
  EXPECT_EQ(p.code[4].dst[0].bits, 16);
  EXPECT_EQ(p.code[5].src[0].bits, 32);
}

}  // namespace
}  // namespace heddle::ptx
