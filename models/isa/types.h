#pragma once

// Scalar types, state spaces and modifiers of instructions (PTX ISA 9.0, sections 5.2, 5.1 and 9.7).

#include <cstdint>

namespace heddle::isa {

enum class DataType : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f32,
  f64,
  f16,     ///< IEEE 754 binary16
  bf16,    ///< bfloat16: the upper half of an f32
  f16x2,   ///< two f16 values in one word, the first in the low half
  bf16x2,  ///< two bf16 values in one word, the first in the low half
  u16x2,
  s16x2,
  tf32,    ///< 19-bit float: the upper bits of a word in f32 format
  e4m3,    ///< 8-bit float of 4 exponent bits, without infinities
  e5m2,    ///< 8-bit float of 5 exponent bits
  e4m3x2,  ///< two e4m3 values in 16 bits, the first in the low byte
  e5m2x2,
  s4,
  u4,
  b1  ///< single bits, as a type of matrix elements
};

constexpr int bits_of(DataType t) {
  switch (t) {
    case DataType::none:
      return 0;
    case DataType::pred:
    case DataType::b1:
      return 1;
    case DataType::s4:
    case DataType::u4:
      return 4;
    case DataType::b8:
    case DataType::u8:
    case DataType::s8:
    case DataType::e4m3:
    case DataType::e5m2:
      return 8;
    case DataType::b16:
    case DataType::u16:
    case DataType::s16:
    case DataType::f16:
    case DataType::bf16:
    case DataType::e4m3x2:
    case DataType::e5m2x2:
      return 16;
    case DataType::b32:
    case DataType::u32:
    case DataType::s32:
    case DataType::f32:
    case DataType::f16x2:
    case DataType::bf16x2:
    case DataType::u16x2:
    case DataType::s16x2:
    case DataType::tf32:
      return 32;
    case DataType::b64:
    case DataType::u64:
    case DataType::s64:
    case DataType::f64:
      return 64;
  }
  return 0;
}
constexpr bool is_half(DataType t) {
  return t == DataType::f16 || t == DataType::bf16 || t == DataType::f16x2 || t == DataType::bf16x2;
}
constexpr bool is_pair(DataType t) {
  return t == DataType::f16x2 || t == DataType::bf16x2 || t == DataType::u16x2 || t == DataType::s16x2;
}
/// Returns true for tf32, and for floats of 8 bits and their pairs.
constexpr bool is_narrow_float(DataType t) { return t >= DataType::tf32 && t <= DataType::e5m2x2; }
constexpr bool is_float(DataType t) {
  return t == DataType::f32 || t == DataType::f64 || is_half(t) || is_narrow_float(t);
}
constexpr bool is_signed(DataType t) {
  return t == DataType::s4 || t == DataType::s8 || t == DataType::s16 || t == DataType::s32 ||
         t == DataType::s64;
}
const char* name_of(DataType t);

enum class Space : std::uint8_t { generic, global, shared, local, constant, param };
const char* name_of(Space s);

/// Rounding modes of PTX. `rna`: to the nearest number, ties away from zero.
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi, rna };

/// Comparison operators of setp and set. Operators that end in u (such as equ) are also true if an operand is
/// NaN. lo, ls, hi and hs compare unsigned integers.
enum class Compare : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
enum class BoolOp : std::uint8_t { none, and_, or_, xor_ };
enum class Part : std::uint8_t {
  none,
  lo,
  hi,
  wide
};  ///< Part of the product that mul or mad returns; `wide`: the whole product.
enum class ShuffleMode : std::uint8_t { none, up, down, bfly, idx };
enum class VoteMode : std::uint8_t { none, all, any, uni, ballot };
enum class MatchMode : std::uint8_t { none, any, all };
enum class FunnelMode : std::uint8_t { none, l_clamp, l_wrap, r_clamp, r_wrap };
enum class PermuteMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class TestProperty : std::uint8_t { none, finite, infinite, number, notanumber, normal, subnormal };
/// Atomic operations. Those from mb_init on are operations on mbarrier objects (models/isa/mbarrier.h).
enum class AtomicOp : std::uint8_t {
  none,
  add,
  and_,
  or_,
  xor_,
  exch,
  cas,
  inc,
  dec,
  min,
  max,
  mb_init,
  mb_inval,
  mb_arrive,
  mb_arrive_some,  ///< arrive.noComplete
  mb_drop,
  mb_drop_some,
  mb_test,
  mb_wait,
  mb_copies,  ///< cp.async.mbarrier.arrive
  mb_copies_noinc
};
enum class CacheOp : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt };
/// Memory ordering of ld, st and atom. Loads and stores with an ordering other than weak bypass the L1 cache.
enum class Ordering : std::uint8_t { weak, volatile_, relaxed, acquire, release, acq_rel };
enum class Scope : std::uint8_t { none, cta, gpu, sys };

/// Geometry of a texture. The names in PTX are 1d, 2d, 3d, a1d and a2d (arrays of layers), cube and acube.
enum class TextureShape : std::uint8_t { none, d1, d2, d3, a1d, a2d, cube, acube };
const char* name_of(TextureShape s);

struct Modifiers {
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp bool_op = BoolOp::none;
  Part part = Part::none;
  ShuffleMode shuffle = ShuffleMode::none;
  VoteMode vote = VoteMode::none;
  MatchMode match = MatchMode::none;
  FunnelMode funnel = FunnelMode::none;
  PermuteMode permute = PermuteMode::none;
  TestProperty property = TestProperty::none;
  AtomicOp atomic = AtomicOp::none;
  bool ftz = false;        ///< .ftz: flushes subnormal f32 operands and results to zero of the same sign
  bool sat = false;        ///< .sat: clamps floats to [0, 1], and integer results to the range of their type
  bool approx = false;     ///< .approx: approximate form of the operation
  bool full = false;       ///< full-range approximation of division (div.full)
  bool sync = false;       ///< .sync form, which has a member mask as its last source
  bool carry_in = false;   ///< addc, subc, madc: the last source is a predicate, the carry
  bool carry_out = false;  ///< .cc: the last destination is a predicate, the carry
  bool shift_amount = false;   ///< bfind.shiftamt: returns the shift amount instead of the bit's position
  bool clamp = true;           ///< mode of bmsk and szext: true for .clamp, false for .wrap
  bool accumulate = false;     ///< vabsdiff4.add: the differences are added to the third source
  bool propagate_nan = false;  ///< min.NaN and max.NaN: the result is NaN if an operand is NaN
  bool relu = false;           ///< .relu: negative results become 0
  bool satfinite = false;      ///< cvt.satfinite: overflow and infinities give the largest finite number
  std::uint8_t lut = 0;        ///< truth table of lop3, the operation's immediate operand
};

}  // namespace heddle::isa
