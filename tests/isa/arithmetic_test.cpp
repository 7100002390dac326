// Compares lane arithmetic in difficult cases with results written by hand. tests/semantics has large tables
// of results.

#include "tests/isa/lane_runner.h"

namespace heddle::isa::test::arithmetic_test {
namespace {

using enum DataType;

Modifiers part(Part p) {
  Modifiers m;
  m.part = p;
  return m;
}
Modifiers rounded(Rounding r) {
  Modifiers m;
  m.rounding = r;
  return m;
}
Modifiers saturated(Modifiers m = {}) {
  m.sat = true;
  return m;
}
Modifiers flushing(Modifiers m = {}) {
  m.ftz = true;
  return m;
}

TEST(Integers, WrapAndSaturate) {
  EXPECT_EQ(compute({Opcode::add, s32}, {0x7fffffff, 1}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::add, s32, saturated()}, {0x7fffffff, 1}), 0x7fffffffu);
  EXPECT_EQ(compute({Opcode::sub, s32, saturated()}, {0x80000000, 1}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::add, u16}, {0xffff, 2}), 1u);
  EXPECT_EQ(compute({Opcode::sub, s16}, {0, 1}), 0xffffu);  // 16-bit results are zero-extended
  EXPECT_EQ(compute({Opcode::add, u64}, {0xffffffff, 1}), 0x1'0000'0000u);
  EXPECT_EQ(compute({Opcode::neg, s64}, {1}), ~std::uint64_t{0});
  EXPECT_EQ(compute({Opcode::abs, s32}, {0x80000000}), 0x80000000u);
}

TEST(Integers, Products) {
  EXPECT_EQ(compute({Opcode::mul, s32, part(Part::hi)}, {0xffffffff, 2}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::mul, u32, part(Part::hi)}, {0xffffffff, 2}), 1u);
  EXPECT_EQ(compute({Opcode::mul, u64, part(Part::hi)}, {~std::uint64_t{0}, ~std::uint64_t{0}}),
            0xffffffff'fffffffeu);
  EXPECT_EQ(compute({Opcode::mul, s32, part(Part::wide)}, {0xffffffff, 3}), 0xffffffff'fffffffdu);
  EXPECT_EQ(compute({Opcode::mul, u16, part(Part::lo)}, {0xffff, 0xffff}), 1u);
  EXPECT_EQ(compute({Opcode::mul, s16, part(Part::wide)}, {0xffff, 5}), 0xfffffffbu);
  EXPECT_EQ(compute({Opcode::mad, u32, part(Part::wide)}, {3, 5, 0x1'0000'0000}), 0x1'0000'000fu);
  EXPECT_EQ(compute({Opcode::mad, s32, saturated(part(Part::hi))}, {0x7fffffff, 0x7fffffff, 0x7fffffff}),
            0x7fffffffu);
  EXPECT_EQ(compute({Opcode::mul24, s32, part(Part::hi)}, {0x00ffffff, 1}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::mul24, u32, part(Part::lo)}, {0xff000002, 3}), 6u);
  EXPECT_EQ(compute({Opcode::sad, s32}, {0xfffffffe, 3, 10}), 15u);
}

TEST(Integers, DivisionNeverTraps) {
  EXPECT_EQ(compute({Opcode::div, u32}, {7, 0}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::div, s64}, {7, 0}), ~std::uint64_t{0});
  EXPECT_EQ(compute({Opcode::rem, s32}, {7, 0}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::div, s32}, {0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::rem, s32}, {0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(compute({Opcode::div, s64}, {0x80000000'00000000, ~std::uint64_t{0}}), 0x80000000'00000000u);
  EXPECT_EQ(compute({Opcode::div, s16}, {0x8000, 0xffff}), 0x8000u);
  EXPECT_EQ(compute({Opcode::div, s32}, {0xfffffff9, 2}), 0xfffffffdu);
  EXPECT_EQ(compute({Opcode::rem, s32}, {0xfffffff9, 2}), 0xffffffffu);
}

TEST(Integers, CarryChains) {
  Modifiers m;
  m.carry_out = true;
  EXPECT_EQ(compute({Opcode::add, u32, m}, {0xffffffff, 1}), 0u);
  EXPECT_EQ(compute({Opcode::add, u32, m}, {0xffffffff, 1}, 1), 1u);
  EXPECT_EQ(compute({Opcode::sub, u32, m}, {0, 1}, 1), 0u);  // the subtraction 0 - 1 sets the borrow
  EXPECT_EQ(compute({Opcode::sub, u32, m}, {1, 1}, 1), 1u);
  m.carry_in = true;
  EXPECT_EQ(compute({Opcode::add, u32, m}, {0xffffffff, 0xffffffff, 1}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::add, u32, m}, {0xffffffff, 0xffffffff, 1}, 1), 1u);
  EXPECT_EQ(compute({Opcode::sub, u64, m}, {5, 5, 0}), ~std::uint64_t{0});
  EXPECT_EQ(compute({Opcode::sub, u64, m}, {5, 5, 0}, 1), 0u);
  EXPECT_EQ(compute({Opcode::sub, u64, m}, {5, 5, 1}), 0u);
  EXPECT_EQ(compute({Opcode::sub, u64, m}, {5, 5, 1}, 1), 1u);
  m.part = Part::hi;
  EXPECT_EQ(compute({Opcode::mad, u32, m}, {0xffffffff, 0xffffffff, 1, 1}), 0u);
  EXPECT_EQ(compute({Opcode::mad, u32, m}, {0xffffffff, 0xffffffff, 1, 1}, 1), 1u);
}

TEST(Bits, CountsAndFields) {
  Modifiers m;
  EXPECT_EQ(compute({Opcode::popc, b64}, {0xff00'0000'0000'0001}), 9u);
  EXPECT_EQ(compute({Opcode::clz, b32}, {0}), 32u);
  EXPECT_EQ(compute({Opcode::clz, b64}, {1}), 63u);
  EXPECT_EQ(compute({Opcode::bfind, s32}, {0xffffffff}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::bfind, s32}, {0xffff0000}), 15u);
  m.shift_amount = true;
  EXPECT_EQ(compute({Opcode::bfind, u32, m}, {0x00010000}), 15u);
  EXPECT_EQ(compute({Opcode::brev, b64}, {0x1'0000'0002}), 0x40000000'80000000u);
  EXPECT_EQ(compute({Opcode::bfe, s32}, {0x00000080, 4, 4}), 0xfffffff8u);
  EXPECT_EQ(compute({Opcode::bfe, s32}, {0x80000000, 31, 5}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::bfe, u64}, {0xabcd'0000'0000'0000, 48, 255}), 0xabcdu);
  EXPECT_EQ(compute({Opcode::bfe, s32}, {0xffffffff, 0, 0}), 0u);
  EXPECT_EQ(compute({Opcode::bfi, b32}, {0xff, 0x11111111, 28, 8}), 0xf1111111u);
  EXPECT_EQ(compute({Opcode::bfi, b32}, {0xff, 0x11111111, 32, 8}), 0x11111111u);
  EXPECT_EQ(compute({Opcode::fns, b32}, {0b1011000, 0, 2}), 4u);
  EXPECT_EQ(compute({Opcode::fns, b32}, {0b1011000, 31, 0xffffffff}), 6u);
  EXPECT_EQ(compute({Opcode::fns, b32}, {0b1011000, 3, 0}), 3u);
}

TEST(Bits, MasksShiftsAndBytes) {
  Modifiers wrap;
  wrap.clamp = false;
  EXPECT_EQ(compute({Opcode::bmsk, b32}, {4, 40}), 0xfffffff0u);
  EXPECT_EQ(compute({Opcode::bmsk, b32, wrap}, {36, 4}), 0xf0u);
  EXPECT_EQ(compute({Opcode::szext, s32}, {0x80, 8}), 0xffffff80u);
  EXPECT_EQ(compute({Opcode::szext, u32, wrap}, {0xabcd, 32 + 8}), 0xcdu);
  EXPECT_EQ(compute({Opcode::shl, b32}, {1, 32}), 0u);
  EXPECT_EQ(compute({Opcode::shl, b16}, {0x8001, 1}), 2u);
  EXPECT_EQ(compute({Opcode::shr, s32}, {0x80000000, 100}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::shr, s16}, {0x8000, 1}), 0xc000u);
  EXPECT_EQ(compute({Opcode::shr, u64}, {0x80000000'00000000, 0xffffffff}), 0u);
  Modifiers m;
  m.funnel = FunnelMode::l_clamp;
  EXPECT_EQ(compute({Opcode::shf, b32, m}, {0x12345678, 0x9abcdef0, 40}), 0x12345678u);
  m.funnel = FunnelMode::r_wrap;
  EXPECT_EQ(compute({Opcode::shf, b32, m}, {0x12345678, 0x9abcdef0, 40}), 0xf0123456u);
  EXPECT_EQ(compute({Opcode::prmt, b32}, {0x33221180, 0x77665544, 0x7048}), 0x778044ffu);
  m.permute = PermuteMode::rc16;
  EXPECT_EQ(compute({Opcode::prmt, b32, m}, {0x33221180, 0x77665544, 1}), 0x33223322u);
  m.lut = 0xe8;  // lop3 truth table for the majority of three bits
  EXPECT_EQ(compute({Opcode::lop3, b32, m}, {0b0011, 0b0101, 0b0110}), 0b0111u);
  // expected dot product: -1 * 255 + 1
  EXPECT_EQ(compute({Opcode::dp4a, s32, {}, u32}, {0xff, 0xff, 1}), 0xffffff02u);
  m.part = Part::hi;
  EXPECT_EQ(compute({Opcode::dp2a, s32, part(Part::hi), s32}, {0x0002'ffff, 0x05ff'0000, 10}), 21u);
}

TEST(Floats, RoundingAndSpecialValues) {
  const auto f = [](float v) { return bits(v); };
  EXPECT_EQ(compute({Opcode::add, f32, rounded(Rounding::rp)}, {f(1.0f), f(0x1p-30f)}), 0x3f800001u);
  EXPECT_EQ(compute({Opcode::add, f32, rounded(Rounding::rm)}, {f(1.0f), f(-1.0f)}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::add, f32}, {f(1.0f), f(-1.0f)}), 0u);
  EXPECT_EQ(compute({Opcode::add, f32}, {0x7f800000, 0xff800000}), 0x7fffffffu);
  EXPECT_EQ(compute({Opcode::mul, f32}, {0xffc12345, f(1.0f)}), 0x7fffffffu);
  EXPECT_EQ(compute({Opcode::mul, f64}, {0xfff8000000000001, bits(1.0)}), 0x7ff8000000000000u);
  EXPECT_EQ(compute({Opcode::mul, f32, flushing()}, {0x80000001, f(2.0f)}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::add, f32, saturated()}, {f(2.0f), f(3.0f)}), 0x3f800000u);
  EXPECT_EQ(compute({Opcode::add, f32, saturated()}, {0x7fc00000, f(3.0f)}), 0u);
  EXPECT_EQ(compute({Opcode::mul, f32, saturated()}, {f(-0.0f), f(3.0f)}), 0u);
  // fma rounds once: (1 + 2^-12)^2 - 1 would lose its last term if the product were rounded first.
  EXPECT_EQ(compute({Opcode::fma, f32}, {f(1.0f + 0x1p-12f), f(1.0f + 0x1p-12f), f(-1.0f)}),
            f(0x1p-11f + 0x1p-24f));
  EXPECT_EQ(compute({Opcode::div, f64, rounded(Rounding::rz)}, {bits(2.0), bits(3.0)}), 0x3fe5555555555555u);
  EXPECT_EQ(compute({Opcode::sqrt, f64, rounded(Rounding::rp)}, {bits(2.0)}), 0x3ff6a09e667f3bcdu);
  EXPECT_EQ(compute({Opcode::sqrt, f64, rounded(Rounding::rm)}, {bits(2.0)}), 0x3ff6a09e667f3bccu);
}

TEST(Floats, MinimumSignsAndProperties) {
  EXPECT_EQ(compute({Opcode::min, f32}, {0x00000000, 0x80000000}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::max, f32}, {0x80000000, 0x00000000}), 0u);
  EXPECT_EQ(compute({Opcode::min, f32}, {0x7fc00000, 0x3f800000}), 0x3f800000u);
  EXPECT_EQ(compute({Opcode::max, f64}, {0x7ff8000000000001, 0xfff8000000000001}), 0x7ff8000000000000u);
  Modifiers nan;
  nan.propagate_nan = true;
  EXPECT_EQ(compute({Opcode::min, f32, nan}, {0x7fc00000, 0x3f800000}), 0x7fffffffu);
  EXPECT_EQ(compute({Opcode::neg, f32}, {0x7fc00001}), 0x7fffffffu);
  EXPECT_EQ(compute({Opcode::abs, f64}, {0xfff8000000000001}), 0xfff8000000000001u);
  EXPECT_EQ(compute({Opcode::copysign, f32}, {0x80000000, 0x3f800000}), 0xbf800000u);
  Modifiers m;
  m.property = TestProperty::normal;
  EXPECT_EQ(compute({Opcode::testp, f32, m}, {0}), 1u);
  EXPECT_EQ(compute({Opcode::testp, f32, m}, {1}), 0u);
  m.property = TestProperty::notanumber;
  EXPECT_EQ(compute({Opcode::testp, f64, m}, {0x7ff0000000000001}), 1u);
}

TEST(Comparisons, OrderedUnorderedAndCombined) {
  Modifiers m;
  m.compare = Compare::ne;
  EXPECT_EQ(compute({Opcode::setp, f32, m}, {0x7fc00000, 0}), 0u);
  m.compare = Compare::neu;
  EXPECT_EQ(compute({Opcode::setp, f32, m}, {0x7fc00000, 0}), 1u);
  m.compare = Compare::lt;
  EXPECT_EQ(compute({Opcode::setp, s32, m}, {0xffffffff, 0}), 1u);
  EXPECT_EQ(compute({Opcode::setp, u32, m}, {0xffffffff, 0}), 0u);
  EXPECT_EQ(compute({Opcode::setp, u32, m}, {0xffffffff, 0}, 1), 1u);
  EXPECT_EQ(compute({Opcode::setp, f32, flushing(m)}, {0, 1}), 0u);
  m.bool_op = BoolOp::and_;
  EXPECT_EQ(compute({Opcode::setp, s64, m}, {0, 1, 0}), 0u);
  // second destination of setp: q = !(a < b) && c
  EXPECT_EQ(compute({Opcode::setp, s64, m}, {1, 0, 1}, 1), 1u);
  m.bool_op = BoolOp::none;
  EXPECT_EQ(compute({Opcode::set, f32, m, s32}, {0, 1}), 0x3f800000u);
  EXPECT_EQ(compute({Opcode::set, u32, m, f64}, {bits(0.0), bits(1.0)}), 0xffffffffu);
  EXPECT_EQ(compute({Opcode::selp, b64}, {0x1'0000'0002, 3, 1}), 0x1'0000'0002u);
  EXPECT_EQ(compute({Opcode::slct, b32, {}, f32}, {1, 2, 0x80000000}), 1u);
  EXPECT_EQ(compute({Opcode::slct, b32, {}, f32}, {1, 2, 0x7fc00000}), 2u);
  EXPECT_EQ(compute({Opcode::slct, b32, {}, s32}, {1, 2, 0x80000000}), 2u);
}

TEST(Conversions, ClampRoundAndExtend) {
  const Modifiers rzi = rounded(Rounding::rzi);
  EXPECT_EQ(compute({Opcode::cvt, s32, rzi, f32}, {bits(3e9f)}), 0x7fffffffu);
  EXPECT_EQ(compute({Opcode::cvt, u32, rzi, f32}, {bits(-1.0f)}), 0u);
  EXPECT_EQ(compute({Opcode::cvt, s32, rzi, f32}, {0x7fc00000}), 0u);
  EXPECT_EQ(compute({Opcode::cvt, s64, rzi, f32}, {0x7fc00000}), 0x80000000'00000000u);
  EXPECT_EQ(compute({Opcode::cvt, s32, rounded(Rounding::rni), f32}, {bits(2.5f)}), 2u);
  EXPECT_EQ(compute({Opcode::cvt, s8, rzi, f32}, {bits(-300.0f)}), 0xffffff80u);
  EXPECT_EQ(compute({Opcode::cvt, f32, rounded(Rounding::rpi), f32}, {bits(-0.5f)}), 0x80000000u);
  EXPECT_EQ(compute({Opcode::cvt, f32, rounded(Rounding::rn), s32}, {16777217}), bits(16777216.0f));
  EXPECT_EQ(compute({Opcode::cvt, f32, rounded(Rounding::rp), u64}, {~std::uint64_t{0}}), bits(0x1p64f));
  EXPECT_EQ(compute({Opcode::cvt, f32, rounded(Rounding::rz), u64}, {~std::uint64_t{0}}), 0x5f7fffffu);
  EXPECT_EQ(compute({Opcode::cvt, f32, rounded(Rounding::rm), f64}, {bits(1e300)}), 0x7f7fffffu);
  EXPECT_EQ(compute({Opcode::cvt, f32, saturated(), f32}, {bits(-3.0f)}), 0u);
  EXPECT_EQ(compute({Opcode::cvt, s8, {}, u32, 16}, {0x1ff}), 0xffffu);
  EXPECT_EQ(compute({Opcode::cvt, s8, {}, u32, 32}, {0x180}), 0xffffff80u);
  EXPECT_EQ(compute({Opcode::cvt, u8, saturated(), s32}, {300}), 255u);
  EXPECT_EQ(compute({Opcode::cvt, s64, {}, s32}, {0x80000000}), 0xffffffff'80000000u);
  EXPECT_EQ(compute({Opcode::cvt, f64, {}, f32}, {0xffc12345}), 0x7ff8000000000000u);
}

TEST(Conversions, ExtendIntoWiderRegisters) {
  LaneRunner form(Opcode::cvt, s16, {}, s32);
  form.instruction().dst[0].bits = 64;
  LaneVec high;
  form.view().dst[0][1] = &high;
  form.fill_source(0, 0x8000);
  ASSERT_TRUE(form.run(chosen_set()));
  EXPECT_EQ(static_cast<std::uint32_t>(form.result(0)), 0xffff8000u);
  EXPECT_EQ(high.lane[31], 0xffffffffu);
}

TEST(Moves, PackUnpackAndSpaces) {
  EXPECT_EQ(compute({Opcode::pack, b64, {}, none, 0, 2}, {1, 2}), 0x2'0000'0001u);
  EXPECT_EQ(compute({Opcode::pack, b32, {}, none, 0, 2}, {0x1234, 0xffff5678}), 0x56781234u);
  EXPECT_EQ(compute({Opcode::pack, b64, {}, none, 0, 4}, {1, 2, 3, 4}), 0x0004'0003'0002'0001u);
  EXPECT_EQ(compute({Opcode::unpack, b32, {}, none, 0, 4}, {0x44332211}, 2), 0x33u);
  EXPECT_EQ(compute({Opcode::unpack, b64, {}, none, 0, 2}, {0x2'0000'0001}, 1), 2u);
}

TEST(Moves, SpaceTestsFollowTheAddressMap) {
  const auto is_in = [](Space space, std::uint64_t address) {
    LaneRunner form(Opcode::isspacep, none);
    form.instruction().memory.space = space;
    form.instruction().src[0].bits = 64;
    LaneVec high;
    form.view().src[0][1] = &high;
    form.fill_source(0, address);
    high.fill(static_cast<std::uint32_t>(address >> 32));
    EXPECT_TRUE(form.run(chosen_set()));
    return form.result(7) == 1;
  };
  EXPECT_TRUE(is_in(Space::shared, 0x0100'0000));
  EXPECT_FALSE(is_in(Space::shared, 0x0200'0000));
  EXPECT_TRUE(is_in(Space::local, 0x02ff'ffff));
  EXPECT_TRUE(is_in(Space::global, 0x2'0100'0000));
  EXPECT_FALSE(is_in(Space::shared, 0x2'0100'0000));
  EXPECT_FALSE(is_in(Space::global, 0x0500'0000));
  EXPECT_TRUE(is_in(Space::constant, 0x0500'0000));
}

}  // namespace
}  // namespace heddle::isa::test::arithmetic_test
