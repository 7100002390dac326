// SPDX-License-Identifier: Apache-2.0
// Integer intrinsics.
#pragma once

#include "base.h"

HEDDLE_CC_FUNCTION int __popc(unsigned v) { return __builtin_popcount(v); }
HEDDLE_CC_FUNCTION int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
HEDDLE_CC_FUNCTION int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
HEDDLE_CC_FUNCTION int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
HEDDLE_CC_FUNCTION unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
HEDDLE_CC_FUNCTION unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
HEDDLE_CC_FUNCTION int __ffs(int v) { return 32 - __clz(v & -(unsigned)v); }
HEDDLE_CC_FUNCTION int __ffsll(long long v) {
  return 64 - __clzll((long long)((unsigned long long)v & (0ull - (unsigned long long)v)));
}
HEDDLE_CC_FUNCTION unsigned __fns(unsigned mask, unsigned base, int offset) {
  unsigned result;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(mask), "r"(base), "r"(offset));
  return result;
}
HEDDLE_CC_FUNCTION unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  return (unsigned)__nvvm_prmt(a, b, selector & 0x7777u);
}
#define HEDDLE_CC_FUNNEL(name, direction, edge)                                                             \
  HEDDLE_CC_FUNCTION unsigned name(unsigned low, unsigned high, unsigned shift) {                           \
    unsigned result;                                                                                        \
    asm("shf." direction "." edge ".b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift)); \
    return result;                                                                                          \
  }
HEDDLE_CC_FUNNEL(__funnelshift_l, "l", "wrap")
HEDDLE_CC_FUNNEL(__funnelshift_lc, "l", "clamp")
HEDDLE_CC_FUNNEL(__funnelshift_r, "r", "wrap")
HEDDLE_CC_FUNNEL(__funnelshift_rc, "r", "clamp")
#undef HEDDLE_CC_FUNNEL

HEDDLE_CC_FUNCTION int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
HEDDLE_CC_FUNCTION unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
HEDDLE_CC_FUNCTION long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
HEDDLE_CC_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
HEDDLE_CC_FUNCTION int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
HEDDLE_CC_FUNCTION unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
HEDDLE_CC_FUNCTION int mul24(int a, int b) { return __mul24(a, b); }
HEDDLE_CC_FUNCTION unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
HEDDLE_CC_FUNCTION int mulhi(int a, int b) { return __mulhi(a, b); }
HEDDLE_CC_FUNCTION unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
HEDDLE_CC_FUNCTION unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
HEDDLE_CC_FUNCTION long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
HEDDLE_CC_FUNCTION unsigned long long umul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
HEDDLE_CC_FUNCTION unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c;
}
HEDDLE_CC_FUNCTION unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
// Averages, computed without overflow of the sum.
HEDDLE_CC_FUNCTION int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
HEDDLE_CC_FUNCTION int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
HEDDLE_CC_FUNCTION unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
HEDDLE_CC_FUNCTION unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

// Dot products of bytes with bytes, and of 16-bit halves with the two low or the two high bytes.
#define HEDDLE_CC_DOT(name, instruction, result_type, a_type, b_type)                          \
  HEDDLE_CC_FUNCTION result_type name(a_type a, b_type b, result_type c) {                     \
    result_type result;                                                                        \
    asm(instruction " %0, %1, %2, %3;"                                                         \
        : "=r"(result)                                                                         \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)), "r"(c)); \
    return result;                                                                             \
  }
HEDDLE_CC_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
HEDDLE_CC_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
HEDDLE_CC_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
HEDDLE_CC_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
HEDDLE_CC_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
HEDDLE_CC_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
HEDDLE_CC_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
HEDDLE_CC_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
HEDDLE_CC_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
HEDDLE_CC_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
HEDDLE_CC_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
HEDDLE_CC_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef HEDDLE_CC_DOT

// Minimum and maximum of every type, and of a signed with an unsigned number (whose result is unsigned).
#define HEDDLE_CC_EXTREMES(type, a_type, b_type)                                                \
  HEDDLE_CC_BOTH type min(a_type a, b_type b) { return (type)a < (type)b ? (type)a : (type)b; } \
  HEDDLE_CC_BOTH type max(a_type a, b_type b) { return (type)a > (type)b ? (type)a : (type)b; }
HEDDLE_CC_EXTREMES(int, int, int)
HEDDLE_CC_EXTREMES(unsigned, unsigned, unsigned)
HEDDLE_CC_EXTREMES(unsigned, int, unsigned)
HEDDLE_CC_EXTREMES(unsigned, unsigned, int)
HEDDLE_CC_EXTREMES(long, long, long)
HEDDLE_CC_EXTREMES(unsigned long, unsigned long, unsigned long)
HEDDLE_CC_EXTREMES(unsigned long, long, unsigned long)
HEDDLE_CC_EXTREMES(unsigned long, unsigned long, long)
HEDDLE_CC_EXTREMES(long long, long long, long long)
HEDDLE_CC_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
HEDDLE_CC_EXTREMES(unsigned long long, long long, unsigned long long)
HEDDLE_CC_EXTREMES(unsigned long long, unsigned long long, long long)
#undef HEDDLE_CC_EXTREMES
HEDDLE_CC_FUNCTION unsigned umin(unsigned a, unsigned b) { return min(a, b); }
HEDDLE_CC_FUNCTION unsigned umax(unsigned a, unsigned b) { return max(a, b); }
HEDDLE_CC_FUNCTION long long llmin(long long a, long long b) { return min(a, b); }
HEDDLE_CC_FUNCTION long long llmax(long long a, long long b) { return max(a, b); }
HEDDLE_CC_FUNCTION unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
HEDDLE_CC_FUNCTION unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
HEDDLE_CC_FUNCTION int abs(int a) { return a < 0 ? (int)(0u - (unsigned)a) : a; }
HEDDLE_CC_FUNCTION long long llabs(long long a) {
  return a < 0 ? (long long)(0ull - (unsigned long long)a) : a;
}
HEDDLE_CC_FUNCTION long labs(long a) { return (long)llabs(a); }
HEDDLE_CC_FUNCTION long abs(long a) { return labs(a); }
HEDDLE_CC_FUNCTION long long abs(long long a) { return llabs(a); }
