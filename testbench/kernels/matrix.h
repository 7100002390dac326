// Matrix instructions of PTX as functions, for kernels that multiply with matrix units. All lanes of a warp
// execute each function. Fragments have the layout of PTX ISA 9.0, 9.7.14, where g = lane / 4 and t = lane %
// 4. Operand A: word 0 is in row g, word 1 in row g + 8; words 2 and 3 are in the same rows, but in the
// second half of the columns. Operand B: all words are in column g. Result C: elements 0 and 1 are in row g,
// columns 2 t and 2 t + 1; elements 2 and 3 are in row g + 8.
#pragma once

#include "shim.h"

#define MATRIX_FUNCTION static __device__ __forceinline__

// Returns the address of a variable in shared memory, in the form that ldmatrix needs.
MATRIX_FUNCTION uint shared_address(const void* variable) {
#ifdef __NVCC__
  return (uint)__cvta_generic_to_shared(variable);
#else
  return (uint)(unsigned long)(const __attribute__((address_space(3))) void*)variable;
#endif
}

// Loads four matrices of 8 rows of 16 bytes. Lanes 8 i to 8 i + 7 pass the addresses of the rows of matrix i.
MATRIX_FUNCTION void load_matrices(uint (&words)[4], uint row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(row)
               : "memory");
}
// Loads like load_matrices(), but transposes each matrix.
MATRIX_FUNCTION void load_transposed(uint (&words)[4], uint row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(row)
               : "memory");
}

// c += a * b, where A has 16 rows.
#define MATRIX_PRODUCT(name, instruction, type, letter)                                         \
  MATRIX_FUNCTION void name(type(&c)[4], const uint(&a)[4], uint b0, uint b1) {                 \
    asm volatile(instruction " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                 : "+" letter(c[0]), "+" letter(c[1]), "+" letter(c[2]), "+" letter(c[3])       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));               \
  }
MATRIX_PRODUCT(multiply_f16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", float, "f")
MATRIX_PRODUCT(multiply_bf16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", float, "f")
MATRIX_PRODUCT(multiply_tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", float, "f")
MATRIX_PRODUCT(multiply_s8, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", int, "r")

#if __SIZEOF_POINTER__ == 8
#define MATRIX_ADDRESS "l"
#else
#define MATRIX_ADDRESS "r"
#endif

// Starts a copy of 16 bytes from global to shared memory that bypasses the L1. The bytes arrive later.
MATRIX_FUNCTION void copy_later(uint to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
               MATRIX_ADDRESS((const __attribute__((address_space(1))) void*)from)
               : "memory");
}

// Packs two numbers into a word, the first number in the low half.
MATRIX_FUNCTION uint pair_f16(float first, float second) {
  uint d;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(second), "f"(first));
  return d;
}
MATRIX_FUNCTION uint pair_bf16(float first, float second) {
  uint d;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(second), "f"(first));
  return d;
}
MATRIX_FUNCTION uint rounded_tf32(float value) {
  uint d;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(d) : "f"(value));
  return d;
}

// Converts pairs of single-precision numbers to half precision, one pair per thread.
MATRIX_FUNCTION void convert_to_f16(const float* from, uint* to, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) to[i] = pair_f16(from[2 * i], from[2 * i + 1]);
}
