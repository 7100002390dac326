#pragma once

// Typed views of whole-warp operands, and loops over 32 lanes that the compiler can vectorise. Every source
// file of this folder is compiled once for all hosts and once for AVX2, in two namespaces (macro
// HEDDLE_LANE_SET). The two versions must not share inline functions, because the linker could choose the
// AVX2 version for a host without AVX2.

#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "models/isa/lane_operands.h"
#include "models/isa/lanes/always_inline.h"
#include "models/isa/lanes/families.h"

#ifndef HEDDLE_LANE_SET
#error "HEDDLE_LANE_SET names the set that is compiled: baseline or avx2"
#endif

// Loop over all lanes. A result may share its storage with a source, but each lane depends only on its own
// words (result_place.h). The loop therefore needs no run-time check for aliases.
// NOLINTBEGIN(bugprone-macro-parentheses): i is a name
#if defined(__clang__)
#define HEDDLE_EACH_LANE(i) _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < kLanes; ++i)
#else
#define HEDDLE_EACH_LANE(i) _Pragma("GCC ivdep") for (int i = 0; i < kLanes; ++i)
#endif
// NOLINTEND(bugprone-macro-parentheses)

namespace heddle::isa::lanes::HEDDLE_LANE_SET {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

template <class T>
inline constexpr bool kFloating = std::is_floating_point_v<T>;
template <class T>
using Word = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T)) * 8;

template <class To, class From>
HEDDLE_INLINE To bits_as(From v) {
  return __builtin_bit_cast(To, v);
}

/// Source operand `slot` as 32 values of type T. A value narrower than 32 bits is in the low bits of its
/// word.
template <class T>
class In {
 public:
  HEDDLE_INLINE In(const LaneOperands& o, int slot)
      : low_(o.src[slot][0]->lane), high_(sizeof(T) == 8 ? o.src[slot][1]->lane : nullptr) {}
  HEDDLE_INLINE T operator[](int i) const {
    if constexpr (sizeof(T) == 8)
      return bits_as<T>(u64{low_[i]} | u64{high_[i]} << 32);
    else if constexpr (sizeof(T) == 4)
      return bits_as<T>(low_[i]);
    else
      return static_cast<T>(low_[i]);
  }

 private:
  const u32* low_;
  const u32* high_;
};

/// Destination operand `slot` for 32 values of type T. A value narrower than 32 bits is zero-extended in its
/// word. The values of a discarded destination go to a dummy register.
template <class T>
class Out {
 public:
  HEDDLE_INLINE Out(const LaneOperands& o, int slot) {
    low_ = (o.dst[slot][0] ? o.dst[slot][0] : &sink_)->lane;
    if constexpr (sizeof(T) == 8) high_ = (o.dst[slot][1] ? o.dst[slot][1] : &sink_)->lane;
  }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;
  HEDDLE_INLINE void set(int i, T v) const {
    if constexpr (sizeof(T) == 8) {
      const u64 bits = bits_as<u64>(v);
      low_[i] = static_cast<u32>(bits);
      high_[i] = static_cast<u32>(bits >> 32);
    } else if constexpr (sizeof(T) == 4) {
      low_[i] = bits_as<u32>(v);
    } else {
      low_[i] = static_cast<std::make_unsigned_t<T>>(v);
    }
  }

 private:
  u32* low_;
  u32* high_ = nullptr;
  LaneVec sink_;
};

/// 32 contiguous 64-bit values, assembled from low and high words for vector instructions. With AVX2, the
/// values are not in lane order but in the order that the unpack instructions give. Lane order would cost
/// more instructions. All operands have the same order.
template <class T>
struct Pairs {
  alignas(64) T value[kLanes];

  Pairs() = default;
  HEDDLE_INLINE Pairs(const LaneOperands& o, int slot) {
#if defined(__AVX2__)
    const auto* low = reinterpret_cast<const __m256i*>(o.src[slot][0]->lane);
    const auto* high = reinterpret_cast<const __m256i*>(o.src[slot][1]->lane);
    auto* to = reinterpret_cast<__m256i*>(value);
    for (int k = 0; k < kLanes / 8; ++k) {
      const __m256i l = _mm256_load_si256(low + k);
      const __m256i h = _mm256_load_si256(high + k);
      _mm256_store_si256(to + 2 * k, _mm256_unpacklo_epi32(l, h));
      _mm256_store_si256(to + 2 * k + 1, _mm256_unpackhi_epi32(l, h));
    }
#else
    const In<T> in(o, slot);
    HEDDLE_EACH_LANE(i) value[i] = in[i];
#endif
  }
  HEDDLE_INLINE void write(const LaneOperands& o) const {
    LaneVec sink;
    write_words(o.dst[0][0] ? *o.dst[0][0] : sink, o.dst[0][1] ? *o.dst[0][1] : sink);
  }
  HEDDLE_INLINE void write_words(LaneVec& low, LaneVec& high) const {
#if defined(__AVX2__)
    const auto* from = reinterpret_cast<const float*>(value);
    for (int k = 0; k < kLanes / 8; ++k) {
      const __m256 first = _mm256_load_ps(from + 16 * k);
      const __m256 second = _mm256_load_ps(from + 16 * k + 8);
      _mm256_store_ps(reinterpret_cast<float*>(low.lane) + 8 * k, _mm256_shuffle_ps(first, second, 0x88));
      _mm256_store_ps(reinterpret_cast<float*>(high.lane) + 8 * k, _mm256_shuffle_ps(first, second, 0xdd));
    }
#else
    HEDDLE_EACH_LANE(i) {
      low.lane[i] = static_cast<u32>(bits_as<u64>(value[i]));
      high.lane[i] = static_cast<u32>(bits_as<u64>(value[i]) >> 32);
    }
#endif
  }
};

template <class... T>
inline constexpr bool kAllPairs = ((sizeof(T) == 8) && ...);

template <class Op, class D, class A>
void map1(const Instruction&, LaneOperands& o) {
  if constexpr (kAllPairs<D, A>) {
    const Pairs<A> a(o, 0);
    Pairs<D> d;
    HEDDLE_EACH_LANE(i) d.value[i] = Op::apply(a.value[i]);
    d.write(o);
  } else {
    const In<A> a(o, 0);
    const Out<D> d(o, 0);
    HEDDLE_EACH_LANE(i) d.set(i, Op::apply(a[i]));
  }
}
template <class Op, class D, class A, class B>
void map2(const Instruction&, LaneOperands& o) {
  if constexpr (kAllPairs<D, A, B>) {
    const Pairs<A> a(o, 0);
    const Pairs<B> b(o, 1);
    Pairs<D> d;
    HEDDLE_EACH_LANE(i) d.value[i] = Op::apply(a.value[i], b.value[i]);
    d.write(o);
  } else {
    const In<A> a(o, 0);
    const In<B> b(o, 1);
    const Out<D> d(o, 0);
    HEDDLE_EACH_LANE(i) d.set(i, Op::apply(a[i], b[i]));
  }
}
template <class Op, class D, class A, class B, class C>
void map3(const Instruction&, LaneOperands& o) {
  if constexpr (kAllPairs<D, A, B, C>) {
    const Pairs<A> a(o, 0);
    const Pairs<B> b(o, 1);
    const Pairs<C> c(o, 2);
    Pairs<D> d;
    HEDDLE_EACH_LANE(i) d.value[i] = Op::apply(a.value[i], b.value[i], c.value[i]);
    d.write(o);
  } else {
    const In<A> a(o, 0);
    const In<B> b(o, 1);
    const In<C> c(o, 2);
    const Out<D> d(o, 0);
    HEDDLE_EACH_LANE(i) d.set(i, Op::apply(a[i], b[i], c[i]));
  }
}

template <class Op>
void map1_words(const Instruction&, LaneOperands& o) {
  for (int h = 0; h < 2; ++h) {
    if (!o.dst[0][h]) continue;
    u32* d = o.dst[0][h]->lane;
    const u32* a = o.src[0][h]->lane;
    HEDDLE_EACH_LANE(i) d[i] = Op::apply(a[i]);
  }
}
template <class Op>
void map2_words(const Instruction&, LaneOperands& o) {
  for (int h = 0; h < 2; ++h) {
    if (!o.dst[0][h]) continue;
    u32* d = o.dst[0][h]->lane;
    const u32* a = o.src[0][h]->lane;
    const u32* b = o.src[1][h]->lane;
    HEDDLE_EACH_LANE(i) d[i] = Op::apply(a[i], b[i]);
  }
}

struct LaneBits {
  alignas(64) u32 bit[kLanes];
};
inline constexpr LaneBits kLaneBits = [] {
  LaneBits all{};
  for (int i = 0; i < kLanes; ++i) all.bit[i] = 1u << i;
  return all;
}();

/// Returns a word of ones if lane i is in the mask, otherwise zero. The compiler can vectorise this form.
HEDDLE_INLINE u32 lane_of(LaneMask mask, int i) { return (mask & kLaneBits.bit[i]) != 0 ? ~0u : 0u; }

HEDDLE_INLINE LaneMask collect(const LaneVec& flags) {
#if defined(__AVX2__)
  LaneMask mask = 0;
  for (int i = 0; i < 4; ++i) {
    const __m256 part = _mm256_load_ps(reinterpret_cast<const float*>(flags.lane) + 8 * i);
    mask |= static_cast<u32>(_mm256_movemask_ps(part)) << (8 * i);
  }
  return mask;
#elif defined(__SSE2__)
  LaneMask mask = 0;
  for (int i = 0; i < 8; ++i) {
    const __m128 part = _mm_load_ps(reinterpret_cast<const float*>(flags.lane) + 4 * i);
    mask |= static_cast<u32>(_mm_movemask_ps(part)) << (4 * i);
  }
  return mask;
#else
  LaneMask mask = 0;
  for (int i = 0; i < kLanes; ++i) mask |= (flags.lane[i] >> 31) << i;
  return mask;
#endif
}

/// Loads a word into each lane of `lanes`, from the address origin + kScale * offset (in bytes). The other
/// lanes keep their words. Offsets must be below 2^31. With AVX2, one instruction gathers eight lanes, which
/// saves 2 % of the simulation time of matrix-mul.
template <int kScale>
HEDDLE_INLINE void gather_words(const void* origin, const LaneVec& offset, LaneMask lanes, LaneVec& into) {
#if defined(__AVX2__)
  const __m256i all = _mm256_set1_epi32(static_cast<int>(lanes));
  for (int i = 0; i < kLanes; i += 8) {
    const __m256i bits = _mm256_load_si256(reinterpret_cast<const __m256i*>(kLaneBits.bit + i));
    const __m256i taken = _mm256_cmpeq_epi32(_mm256_and_si256(all, bits), bits);
    const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i*>(offset.lane + i));
    auto* const to = reinterpret_cast<__m256i*>(into.lane + i);
    _mm256_store_si256(to, _mm256_mask_i32gather_epi32(_mm256_load_si256(to), static_cast<const int*>(origin),
                                                       from, taken, kScale));
  }
#else
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    __builtin_memcpy(&into.lane[i], static_cast<const u8*>(origin) + std::size_t{offset.lane[i]} * kScale, 4);
  }
#endif
}

template <class T>
struct Tag {
  using type = T;
};

// Returns fn(Tag<T>{}) for the C++ type T with the width of the PTX type t; nullptr for other PTX types.
template <class Fn>
HEDDLE_INLINE LaneFunction with_word(DataType t, Fn fn) {
  switch (t) {
    case DataType::b16:
    case DataType::u16:
    case DataType::s16:
      return fn(Tag<u16>{});
    case DataType::b32:
    case DataType::u32:
    case DataType::s32:
      return fn(Tag<u32>{});
    case DataType::b64:
    case DataType::u64:
    case DataType::s64:
      return fn(Tag<u64>{});
    default:
      return nullptr;
  }
}
template <class Fn>
HEDDLE_INLINE LaneFunction with_integer(DataType t, Fn fn) {
  switch (t) {
    case DataType::s16:
      return fn(Tag<s16>{});
    case DataType::s32:
      return fn(Tag<s32>{});
    case DataType::s64:
      return fn(Tag<s64>{});
    default:
      return with_word(t, fn);
  }
}
template <class Fn>
HEDDLE_INLINE LaneFunction with_wide_integer(DataType t, Fn fn) {
  switch (t) {
    case DataType::b32:
    case DataType::u32:
      return fn(Tag<u32>{});
    case DataType::s32:
      return fn(Tag<s32>{});
    case DataType::b64:
    case DataType::u64:
      return fn(Tag<u64>{});
    case DataType::s64:
      return fn(Tag<s64>{});
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
