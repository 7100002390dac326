// Tests that names of operations and types are distinct and spelled as in PTX, that instructions print as
// PTX, and that operation and type determine the execution unit.

#include <set>
#include <string>

#include "tests/isa/lane_runner.h"

namespace heddle::isa::test {
namespace {

TEST(Names, OfOperationsAreDistinct) {
  std::set<std::string> names;
  for (int op = 0; op < static_cast<int>(Opcode::count_); ++op)
    EXPECT_TRUE(names.insert(name_of(static_cast<Opcode>(op))).second) << name_of(static_cast<Opcode>(op));
  EXPECT_EQ(names.count("?"), 0u);
  EXPECT_STREQ(name_of(Opcode::add), "add");
  EXPECT_STREQ(name_of(Opcode::tanh), "tanh");
  EXPECT_STREQ(name_of(Opcode::slct), "slct");
  EXPECT_STREQ(name_of(Opcode::redux), "redux");
  EXPECT_STREQ(name_of(Opcode::nop), "nop");
}

TEST(Names, OfClassesAndTypes) {
  std::set<std::string> classes;
  for (int c = 0; c < static_cast<int>(OpClass::count_); ++c)
    classes.insert(name_of(static_cast<OpClass>(c)));
  EXPECT_EQ(classes.size(), static_cast<std::size_t>(OpClass::count_));
  EXPECT_STREQ(name_of(OpClass::fp64_div), "fp64-div");
  EXPECT_STREQ(name_of(UnitClass::int_), "int");
  EXPECT_STREQ(name_of(DataType::s16), "s16");
  EXPECT_STREQ(name_of(Space::constant), "const");
  EXPECT_STREQ(name_of(SpecialRegister::nctaid_z), "%nctaid.z");
}

Operand reg(std::uint32_t n, int bits = 32) { return Operand::make_reg(RegId(n), bits); }
Operand pred(std::uint32_t n, bool negated = false) { return Operand::make_pred(PredId(n), negated); }

Instruction make(Opcode op, DataType type, std::initializer_list<Operand> dst,
                 std::initializer_list<Operand> src) {
  Instruction i;
  i.op = op;
  i.type = i.source_type = type;
  for (const Operand& o : dst) i.add_dst(o);
  for (const Operand& o : src) i.add_src(o);
  classify(i);
  return i;
}

TEST(Printing, Arithmetic) {
  Instruction i = make(Opcode::add, DataType::s32, {reg(4)}, {reg(2), Operand::make_immediate(7, 32)});
  EXPECT_EQ(to_string(i), "add.s32 r4, r2, 7");
  i.src[1].value = 0xffffffff;
  i.guard = {true, true, PredId(1)};
  EXPECT_EQ(to_string(i), "@!p1 add.s32 r4, r2, -1");
  i = make(Opcode::mad, DataType::s32, {reg(8, 64)}, {reg(1), reg(2), reg(6, 64)});
  i.modifiers.part = Part::wide;
  EXPECT_EQ(to_string(i), "mad.wide.s32 rd8, r1, r2, rd6");
  i = make(Opcode::fma, DataType::f32, {reg(3)}, {reg(0), Operand::make_immediate(0x3f800000, 32), reg(2)});
  i.modifiers.rounding = Rounding::rn;
  i.modifiers.ftz = true;
  EXPECT_EQ(to_string(i), "fma.rn.ftz.f32 r3, r0, 0f3f800000, r2");
  i = make(Opcode::sub, DataType::u32, {reg(3), pred(2)}, {reg(0), reg(1), pred(2)});
  i.modifiers.carry_in = i.modifiers.carry_out = true;
  EXPECT_EQ(to_string(i), "subc.cc.u32 r3|p2, r0, r1, p2");
}

TEST(Printing, ComparisonsConversionsMoves) {
  Instruction i = make(Opcode::setp, DataType::u32, {pred(1), pred(2)}, {reg(4), reg(5), pred(0, true)});
  i.modifiers.compare = Compare::lt;
  i.modifiers.bool_op = BoolOp::and_;
  EXPECT_EQ(to_string(i), "setp.lt.and.u32 p1|p2, r4, r5, !p0");
  i = make(Opcode::cvt, DataType::s32, {reg(1)}, {reg(2)});
  i.source_type = DataType::f32;
  i.modifiers.rounding = Rounding::rzi;
  EXPECT_EQ(to_string(i), "cvt.rzi.s32.f32 r1, r2");
  i = make(Opcode::mov, DataType::u32, {reg(1)}, {Operand::make_special(SpecialRegister::tid_x, 32)});
  EXPECT_EQ(to_string(i), "mov.u32 r1, %tid.x");
  i = make(Opcode::pack, DataType::b64, {reg(2, 64)}, {reg(0), reg(1)});
  EXPECT_EQ(to_string(i), "mov.b64 rd2, {r0, r1}");
  i = make(Opcode::lop3, DataType::b32, {reg(2)}, {reg(0), reg(1), reg(3)});
  i.modifiers.lut = 0x96;
  EXPECT_EQ(to_string(i), "lop3.b32 r2, r0, r1, r3, 0x96");
}

TEST(Printing, MemoryAndControl) {
  Instruction i = make(Opcode::ld, DataType::f32, {reg(4), reg(5)}, {reg(2, 64)});
  i.memory.space = Space::global;
  i.memory.elements = 2;
  i.memory.offset = 16;
  EXPECT_EQ(to_string(i), "ld.global.v2.f32 {r4, r5}, [rd2+16]");
  i = make(Opcode::st, DataType::u8, {}, {reg(2, 64), reg(7, 8)});
  i.memory.space = Space::shared;
  i.memory.offset = -4;
  EXPECT_EQ(to_string(i), "st.shared.u8 [rd2-4], r7");
  i = make(Opcode::atom, DataType::b32, {reg(1)}, {reg(2, 64), reg(4), reg(5)});
  i.memory.space = Space::global;
  i.modifiers.atomic = AtomicOp::cas;
  EXPECT_EQ(to_string(i), "atom.global.cas.b32 r1, [rd2], r4, r5");
  i = make(Opcode::bra, DataType::none, {}, {});
  i.target = 12;
  EXPECT_EQ(to_string(i), "bra #12");
  i = make(Opcode::bar, DataType::none, {},
           {Operand::make_immediate(0, 32), Operand::make_immediate(64, 32)});
  i.barrier = BarrierKind::sync;
  EXPECT_EQ(to_string(i), "bar.sync 0, 64");
}

struct Expectation {
  Opcode op;
  DataType type;
  UnitClass unit;
  OpClass op_class;
};

TEST(Classes, FollowOperationAndType) {
  const Expectation table[] = {{Opcode::add, DataType::s32, UnitClass::int_, OpClass::int_add},
                               {Opcode::add, DataType::f32, UnitClass::fp, OpClass::fp32},
                               {Opcode::add, DataType::f64, UnitClass::fp, OpClass::fp64},
                               {Opcode::mad, DataType::u64, UnitClass::int_, OpClass::int_mul},
                               {Opcode::mad, DataType::f32, UnitClass::fp, OpClass::fp32},
                               {Opcode::div, DataType::u32, UnitClass::sfu, OpClass::int_div},
                               {Opcode::div, DataType::f32, UnitClass::sfu, OpClass::fp_div},
                               {Opcode::sqrt, DataType::f64, UnitClass::sfu, OpClass::fp64_div},
                               {Opcode::ex2, DataType::f32, UnitClass::sfu, OpClass::sfu},
                               {Opcode::setp, DataType::f64, UnitClass::fp, OpClass::fp64},
                               {Opcode::setp, DataType::u16, UnitClass::int_, OpClass::int_add},
                               {Opcode::fma, DataType::f16, UnitClass::fp, OpClass::fp16},
                               {Opcode::setp, DataType::bf16, UnitClass::fp, OpClass::fp16},
                               {Opcode::mul, DataType::bf16x2, UnitClass::fp, OpClass::fp16x2},
                               {Opcode::tanh, DataType::f16x2, UnitClass::sfu, OpClass::sfu},
                               {Opcode::max, DataType::s16x2, UnitClass::int_, OpClass::int_add},
                               {Opcode::mov, DataType::f32, UnitClass::int_, OpClass::int_add},
                               {Opcode::popc, DataType::b32, UnitClass::int_, OpClass::int_bit},
                               {Opcode::shfl, DataType::b32, UnitClass::int_, OpClass::cross_lane},
                               {Opcode::ld, DataType::f32, UnitClass::ldst, OpClass::memory},
                               {Opcode::atom, DataType::f32, UnitClass::ldst, OpClass::memory},
                               {Opcode::membar, DataType::none, UnitClass::ldst, OpClass::memory},
                               {Opcode::bar, DataType::none, UnitClass::control, OpClass::control}};
  for (const Expectation& e : table) {
    const Instruction i = make(e.op, e.type, {}, {});
    EXPECT_EQ(i.unit, e.unit) << name_of(e.op) << name_of(e.type);
    EXPECT_EQ(i.op_class, e.op_class) << name_of(e.op) << name_of(e.type);
  }
}

TEST(Classes, FollowModifiersAndSourceType) {
  Instruction i = make(Opcode::div, DataType::f32, {}, {});
  i.modifiers.approx = true;
  classify(i);
  EXPECT_EQ(i.op_class, OpClass::sfu);
  i = make(Opcode::cvt, DataType::u64, {}, {});
  i.source_type = DataType::u32;
  classify(i);
  EXPECT_EQ(i.op_class, OpClass::int_add);
  i.source_type = DataType::f64;
  classify(i);
  EXPECT_EQ(i.op_class, OpClass::convert);
  i = make(Opcode::set, DataType::u32, {}, {});
  i.source_type = DataType::f32;
  classify(i);
  EXPECT_EQ(i.op_class, OpClass::fp32);
}

}  // namespace
}  // namespace heddle::isa::test
