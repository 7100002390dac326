// The part of CUDA C that the kernels need, for clang's NVPTX back end without a CUDA installation.
//
// Every kernel.cu includes this header. Names and meanings are those of CUDA C, so that nvcc compiles the
// same sources (with nvcc's own headers, without this header). Approximate functions map to the PTX
// approximations of nvcc's fast-math intrinsics, because clang would need NVIDIA's libdevice for accurate
// functions.
#pragma once

#if !defined(__NVCC__) && !defined(HEDDLE_CC)

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include <__clang_cuda_builtin_vars.h>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;

struct __attribute__((aligned(4))) uchar4 {
  uchar x, y, z, w;
};
struct __attribute__((aligned(8))) uint2 {
  uint x, y;
};
struct __attribute__((aligned(16))) uint4 {
  uint x, y, z, w;
};
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};

#define SHIM_FUNCTION static __device__ __forceinline__

SHIM_FUNCTION float2 make_float2(float x, float y) { return {x, y}; }
SHIM_FUNCTION float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
SHIM_FUNCTION uint2 make_uint2(uint x, uint y) { return {x, y}; }
SHIM_FUNCTION uint4 make_uint4(uint x, uint y, uint z, uint w) { return {x, y, z, w}; }
SHIM_FUNCTION uchar4 make_uchar4(uchar x, uchar y, uchar z, uchar w) { return {x, y, z, w}; }
SHIM_FUNCTION double2 make_double2(double x, double y) { return {x, y}; }

// Barriers, fences, votes and shuffles (__syncthreads is a builtin of clang). The last operand of a shuffle is the lane
// at which it stops: the warp's end (31) or start (0).
SHIM_FUNCTION int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
SHIM_FUNCTION int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
SHIM_FUNCTION int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
SHIM_FUNCTION void __threadfence_block() { __nvvm_membar_cta(); }
SHIM_FUNCTION void __threadfence() { __nvvm_membar_gl(); }
#if __CUDA_ARCH__ >= 300
// These are macros, because a function would need PTX 6.0 even in a kernel that never calls the function.
#define __syncwarp() __nvvm_bar_warp_sync(0xffffffffu)
#define __any_sync(mask, predicate) __nvvm_vote_any_sync(mask, predicate)
#define __all_sync(mask, predicate) __nvvm_vote_all_sync(mask, predicate)
#define __ballot_sync(mask, predicate) __nvvm_vote_ballot_sync(mask, predicate)
#define __shfl_sync(mask, value, lane) __nvvm_shfl_sync_idx_i32(mask, value, lane, 31)
#define __shfl_up_sync(mask, value, delta) __nvvm_shfl_sync_up_i32(mask, value, delta, 0)
#define __shfl_down_sync(mask, value, delta) shim_shfl_down(mask, value, delta)
#define __shfl_xor_sync(mask, value, lanes) shim_shfl_xor(mask, value, lanes)
#endif
#if __CUDA_ARCH__ >= 300 && defined(SHIM_WARP_FUNCTIONS)
SHIM_FUNCTION int shim_shfl_down(uint mask, int value, int delta) {
  return __nvvm_shfl_sync_down_i32(mask, value, delta, 31);
}
SHIM_FUNCTION float shim_shfl_down(uint mask, float value, int delta) {
  return __nvvm_shfl_sync_down_f32(mask, value, delta, 31);
}
SHIM_FUNCTION int shim_shfl_xor(uint mask, int value, int lanes) {
  return __nvvm_shfl_sync_bfly_i32(mask, value, lanes, 31);
}
SHIM_FUNCTION float shim_shfl_xor(uint mask, float value, int lanes) {
  return __nvvm_shfl_sync_bfly_f32(mask, value, lanes, 31);
}
#endif

// Atomics on generic addresses. Clang's back end infers the state space where possible.
SHIM_FUNCTION int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
SHIM_FUNCTION uint atomicAdd(uint* p, uint v) { return __nvvm_atom_add_gen_i((int*)p, v); }
SHIM_FUNCTION float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
SHIM_FUNCTION int atomicMin(int* p, int v) { return __nvvm_atom_min_gen_i(p, v); }
SHIM_FUNCTION int atomicMax(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
SHIM_FUNCTION uint atomicMin(uint* p, uint v) { return __nvvm_atom_min_gen_ui(p, v); }
SHIM_FUNCTION uint atomicMax(uint* p, uint v) { return __nvvm_atom_max_gen_ui(p, v); }
SHIM_FUNCTION uint atomicOr(uint* p, uint v) { return __nvvm_atom_or_gen_i((int*)p, v); }
SHIM_FUNCTION uint atomicInc(uint* p, uint v) { return __nvvm_atom_inc_gen_ui(p, v); }
SHIM_FUNCTION int atomicExch(int* p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
SHIM_FUNCTION int atomicCAS(int* p, int old, int v) { return __nvvm_atom_cas_gen_i(p, old, v); }
SHIM_FUNCTION uint atomicCAS(uint* p, uint old, uint v) { return __nvvm_atom_cas_gen_i((int*)p, old, v); }
#if __CUDA_ARCH__ >= 320
SHIM_FUNCTION unsigned long long atomicMin(unsigned long long* p, unsigned long long v) {
  return __nvvm_atom_min_gen_ull(p, v);
}
SHIM_FUNCTION unsigned long long atomicMax(unsigned long long* p, unsigned long long v) {
  return __nvvm_atom_max_gen_ull(p, v);
}
#endif
SHIM_FUNCTION unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) {
  return __nvvm_atom_add_gen_ll((long long*)p, v);
}

// Bit operations and integer arithmetic.
SHIM_FUNCTION int __popc(uint v) { return __builtin_popcount(v); }
SHIM_FUNCTION int __clz(int v) { return v == 0 ? 32 : __builtin_clz(v); }
SHIM_FUNCTION uint __brev(uint v) { return __builtin_bitreverse32(v); }
// Returns the upper 64 bits of the product. The function is defined at the end of the file, so that the line
// numbers in the .loc directives stay the same.
SHIM_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b);
SHIM_FUNCTION int min(int a, int b) { return a < b ? a : b; }
SHIM_FUNCTION int max(int a, int b) { return a > b ? a : b; }
SHIM_FUNCTION uint min(uint a, uint b) { return a < b ? a : b; }
SHIM_FUNCTION uint max(uint a, uint b) { return a > b ? a : b; }

// Arithmetic with a stated rounding. The compiler never contracts it into a fused operation, if clang has the option
// -ffp-contract=on (not fast).
SHIM_FUNCTION float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
SHIM_FUNCTION float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
SHIM_FUNCTION float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
SHIM_FUNCTION float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
SHIM_FUNCTION float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
SHIM_FUNCTION double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
SHIM_FUNCTION double __dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
SHIM_FUNCTION double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
SHIM_FUNCTION float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
SHIM_FUNCTION double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
SHIM_FUNCTION float fabsf(float a) { return __builtin_fabsf(a); }
SHIM_FUNCTION double fabs(double a) { return __builtin_fabs(a); }
SHIM_FUNCTION float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
SHIM_FUNCTION float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
SHIM_FUNCTION float floorf(float a) { return __nvvm_floor_f(a); }

// Approximate functions, which the special function unit computes.
SHIM_FUNCTION float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
SHIM_FUNCTION float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
SHIM_FUNCTION float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504088896340736f); }
SHIM_FUNCTION float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147180559945309417f; }
SHIM_FUNCTION float __sinf(float a) { return __nvvm_sin_approx_f(a); }
SHIM_FUNCTION float __cosf(float a) { return __nvvm_cos_approx_f(a); }

// Bit patterns.
SHIM_FUNCTION int __float_as_int(float a) { return __nvvm_bitcast_f2i(a); }
SHIM_FUNCTION float __int_as_float(int a) { return __nvvm_bitcast_i2f(a); }
SHIM_FUNCTION long long __double_as_longlong(double a) { return __nvvm_bitcast_d2ll(a); }

SHIM_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
#ifdef __SIZEOF_INT128__
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
#else  // 32-bit targets
  const unsigned long long al = (uint)a, ah = a >> 32, bl = (uint)b, bh = b >> 32;
  const unsigned long long low = al * bl, first = ah * bl + (low >> 32), second = al * bh + (uint)first;
  return ah * bh + (first >> 32) + (second >> 32);
#endif
}

#undef SHIM_FUNCTION

#else  // nvcc, or heddle_cc.h

using uchar = unsigned char;

#endif
