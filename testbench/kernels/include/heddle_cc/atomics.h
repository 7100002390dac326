// SPDX-License-Identifier: Apache-2.0
// Atomic functions: every operation and type of the guide, in the scope of the device, of a block and of the
// system.
//
// Functions of the device's scope use clang's builtins, which infer the address's state space where the code
// shows it. Functions of other scopes, and of double, are written as PTX. The compiler moves no loads or
// stores across an atomic function.
#pragma once

#include "synchronisation.h"

#define HEDDLE_CC_ATOMIC(name, type, builtin_type, builtin)      \
  HEDDLE_CC_FUNCTION type name(type* p, type value) {            \
    const heddle_cc::Fenced fenced;                              \
    return (type)builtin((builtin_type*)p, (builtin_type)value); \
  }
// Defines an atomic function by its PTX instruction. `instruction` may contain a scope: the CTA or the system.
#define HEDDLE_CC_SCOPED(name, type, instruction, constraint) \
  HEDDLE_CC_FUNCTION type name(type* p, type value) {         \
    type result;                                              \
    asm volatile("atom." instruction " %0, [%1], %2;"         \
                 : "=" constraint(result)                     \
                 : HEDDLE_CC_ADDRESS(p), constraint(value)    \
                 : "memory");                                 \
    return result;                                            \
  }
#define HEDDLE_CC_ATOMICS(name, type, builtin_type, builtin, instruction, constraint) \
  HEDDLE_CC_ATOMIC(name, type, builtin_type, builtin)                                 \
  HEDDLE_CC_SCOPED(name##_block, type, "cta." instruction, constraint)                \
  HEDDLE_CC_SCOPED(name##_system, type, "sys." instruction, constraint)

using heddle_cc_u64 = unsigned long long;

HEDDLE_CC_ATOMICS(atomicAdd, int, int, __nvvm_atom_add_gen_i, "add.s32", "r")
HEDDLE_CC_ATOMICS(atomicAdd, unsigned, int, __nvvm_atom_add_gen_i, "add.u32", "r")
HEDDLE_CC_ATOMICS(atomicAdd, heddle_cc_u64, long long, __nvvm_atom_add_gen_ll, "add.u64", "l")
HEDDLE_CC_ATOMICS(atomicAdd, float, float, __nvvm_atom_add_gen_f, "add.f32", "f")
HEDDLE_CC_SCOPED(atomicAdd, double, "add.f64", "d")
HEDDLE_CC_SCOPED(atomicAdd_block, double, "cta.add.f64", "d")
HEDDLE_CC_SCOPED(atomicAdd_system, double, "sys.add.f64", "d")
HEDDLE_CC_ATOMICS(atomicExch, int, int, __nvvm_atom_xchg_gen_i, "exch.b32", "r")
HEDDLE_CC_ATOMICS(atomicExch, unsigned, int, __nvvm_atom_xchg_gen_i, "exch.b32", "r")
HEDDLE_CC_ATOMICS(atomicExch, heddle_cc_u64, long long, __nvvm_atom_xchg_gen_ll, "exch.b64", "l")
HEDDLE_CC_ATOMICS(atomicMin, int, int, __nvvm_atom_min_gen_i, "min.s32", "r")
HEDDLE_CC_ATOMICS(atomicMin, unsigned, unsigned, __nvvm_atom_min_gen_ui, "min.u32", "r")
HEDDLE_CC_ATOMICS(atomicMin, long long, long long, __nvvm_atom_min_gen_ll, "min.s64", "l")
HEDDLE_CC_ATOMICS(atomicMin, heddle_cc_u64, heddle_cc_u64, __nvvm_atom_min_gen_ull, "min.u64", "l")
HEDDLE_CC_ATOMICS(atomicMax, int, int, __nvvm_atom_max_gen_i, "max.s32", "r")
HEDDLE_CC_ATOMICS(atomicMax, unsigned, unsigned, __nvvm_atom_max_gen_ui, "max.u32", "r")
HEDDLE_CC_ATOMICS(atomicMax, long long, long long, __nvvm_atom_max_gen_ll, "max.s64", "l")
HEDDLE_CC_ATOMICS(atomicMax, heddle_cc_u64, heddle_cc_u64, __nvvm_atom_max_gen_ull, "max.u64", "l")
HEDDLE_CC_ATOMICS(atomicInc, unsigned, unsigned, __nvvm_atom_inc_gen_ui, "inc.u32", "r")
HEDDLE_CC_ATOMICS(atomicDec, unsigned, unsigned, __nvvm_atom_dec_gen_ui, "dec.u32", "r")
HEDDLE_CC_ATOMICS(atomicAnd, int, int, __nvvm_atom_and_gen_i, "and.b32", "r")
HEDDLE_CC_ATOMICS(atomicAnd, unsigned, int, __nvvm_atom_and_gen_i, "and.b32", "r")
HEDDLE_CC_ATOMICS(atomicAnd, heddle_cc_u64, long long, __nvvm_atom_and_gen_ll, "and.b64", "l")
HEDDLE_CC_ATOMICS(atomicOr, int, int, __nvvm_atom_or_gen_i, "or.b32", "r")
HEDDLE_CC_ATOMICS(atomicOr, unsigned, int, __nvvm_atom_or_gen_i, "or.b32", "r")
HEDDLE_CC_ATOMICS(atomicOr, heddle_cc_u64, long long, __nvvm_atom_or_gen_ll, "or.b64", "l")
HEDDLE_CC_ATOMICS(atomicXor, int, int, __nvvm_atom_xor_gen_i, "xor.b32", "r")
HEDDLE_CC_ATOMICS(atomicXor, unsigned, int, __nvvm_atom_xor_gen_i, "xor.b32", "r")
HEDDLE_CC_ATOMICS(atomicXor, heddle_cc_u64, long long, __nvvm_atom_xor_gen_ll, "xor.b64", "l")

// Functions without a PTX instruction: a subtraction adds the negated value, and a float is exchanged as its bits.
#define HEDDLE_CC_DERIVED(suffix)                                                     \
  HEDDLE_CC_FUNCTION int atomicSub##suffix(int* p, int v) {                           \
    return atomicAdd##suffix(p, (int)(0u - (unsigned)v));                             \
  }                                                                                   \
  HEDDLE_CC_FUNCTION unsigned atomicSub##suffix(unsigned* p, unsigned v) {            \
    return atomicAdd##suffix(p, 0u - v);                                              \
  }                                                                                   \
  HEDDLE_CC_FUNCTION float atomicExch##suffix(float* p, float v) {                    \
    return heddle_cc::as_float(atomicExch##suffix((unsigned*)p, heddle_cc::bits(v))); \
  }
HEDDLE_CC_DERIVED()
HEDDLE_CC_DERIVED(_block)
HEDDLE_CC_DERIVED(_system)

#define HEDDLE_CC_SWAP(name, type, instruction, constraint)                     \
  HEDDLE_CC_FUNCTION type name(type* p, type compare, type value) {             \
    type result;                                                                \
    asm volatile("atom." instruction " %0, [%1], %2, %3;"                       \
                 : "=" constraint(result)                                       \
                 : HEDDLE_CC_ADDRESS(p), constraint(compare), constraint(value) \
                 : "memory");                                                   \
    return result;                                                              \
  }
#define HEDDLE_CC_SWAPS(type, builtin_type, builtin, instruction, constraint)           \
  HEDDLE_CC_FUNCTION type atomicCAS(type* p, type compare, type value) {                \
    const heddle_cc::Fenced fenced;                                                     \
    return (type)builtin((builtin_type*)p, (builtin_type)compare, (builtin_type)value); \
  }                                                                                     \
  HEDDLE_CC_SWAP(atomicCAS_block, type, "cta." instruction, constraint)                 \
  HEDDLE_CC_SWAP(atomicCAS_system, type, "sys." instruction, constraint)
HEDDLE_CC_SWAPS(int, int, __nvvm_atom_cas_gen_i, "cas.b32", "r")
HEDDLE_CC_SWAPS(unsigned, int, __nvvm_atom_cas_gen_i, "cas.b32", "r")
HEDDLE_CC_SWAPS(heddle_cc_u64, long long, __nvvm_atom_cas_gen_ll, "cas.b64", "l")

HEDDLE_CC_SWAP(atomicCAS, unsigned short, "cas.b16", "h")
#undef HEDDLE_CC_ATOMIC
#undef HEDDLE_CC_SCOPED
#undef HEDDLE_CC_ATOMICS
#undef HEDDLE_CC_DERIVED
#undef HEDDLE_CC_SWAP
#undef HEDDLE_CC_SWAPS
