// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: products of matrices by warps, as
// wmma instructions (PTX ISA 9.0, 9.7.14.4). Types of 4 bits and of single bits are missing.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

namespace parts {

// Type of a fragment's stored elements.
template <class T>
struct Element {
  using type = T;
};
template <>
struct Element<precision::tf32> {
  using type = float;
};

template <class T>
using Held = typename Element<T>::type;

// Number of elements of a fragment in each lane. Half-precision fragments of A and B have 16 elements in all shapes.
template <class Use, int m, int n, int k, class T>
struct Count {};
template <int m, int n, int k, class T>
struct Count<matrix_a, m, n, k, T> {
  static constexpr int value = m * k / 32;
};
template <int m, int n, int k, class T>
struct Count<matrix_b, m, n, k, T> {
  static constexpr int value = n * k / 32;
};
template <int m, int n, int k>
struct Count<matrix_a, m, n, k, __half> {
  static constexpr int value = 16;
};
template <int m, int n, int k>
struct Count<matrix_b, m, n, k, __half> {
  static constexpr int value = 16;
};
template <int m, int n, int k, class T>
struct Count<accumulator, m, n, k, T> {
  static constexpr int value = m * n / 32;
};

}  // namespace parts

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
 public:
  using element_type = T;
  using storage_element_type = parts::Held<T>;
  static constexpr int num_elements = parts::Count<Use, m, n, k, T>::value;
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout>
HEDDLE_CC_FUNCTION void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const parts::Held<T>& value) {
  for (auto& element : f.x) element = value;
}

HEDDLE_CC_FUNCTION float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __builtin_bit_cast(float, bits);
}

// Operand lists of inline assembly: register names in the PTX text, results, and sources.
#define HEDDLE_CC_LIST1(a) "{%" #a "}"
#define HEDDLE_CC_LIST2(a, b) "{%" #a ",%" #b "}"
#define HEDDLE_CC_LIST4(a, b, c, d) "{%" #a ",%" #b ",%" #c ",%" #d "}"
#define HEDDLE_CC_LIST8(a, b, c, d, e, f, g, h) \
  "{%" #a ",%" #b ",%" #c ",%" #d ",%" #e ",%" #f ",%" #g ",%" #h "}"
#define HEDDLE_CC_RESULTS1(w) "=r"(w[0])
#define HEDDLE_CC_RESULTS2(w) "=r"(w[0]), "=r"(w[1])
#define HEDDLE_CC_RESULTS4(w) HEDDLE_CC_RESULTS2(w), "=r"(w[2]), "=r"(w[3])
#define HEDDLE_CC_RESULTS8(w) HEDDLE_CC_RESULTS4(w), "=r"(w[4]), "=r"(w[5]), "=r"(w[6]), "=r"(w[7])
#define HEDDLE_CC_SOURCES1(w) "r"(w[0])
#define HEDDLE_CC_SOURCES2(w) "r"(w[0]), "r"(w[1])
#define HEDDLE_CC_SOURCES4(w) HEDDLE_CC_SOURCES2(w), "r"(w[2]), "r"(w[3])
#define HEDDLE_CC_SOURCES8(w) HEDDLE_CC_SOURCES4(w), "r"(w[4]), "r"(w[5]), "r"(w[6]), "r"(w[7])
#define HEDDLE_CC_LOADED1 HEDDLE_CC_LIST1(0) ", [%1], %2;"
#define HEDDLE_CC_LOADED2 HEDDLE_CC_LIST2(0, 1) ", [%2], %3;"
#define HEDDLE_CC_LOADED4 HEDDLE_CC_LIST4(0, 1, 2, 3) ", [%4], %5;"
#define HEDDLE_CC_LOADED8 HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7) ", [%8], %9;"
#define HEDDLE_CC_STORED4 "[%0], " HEDDLE_CC_LIST4(2, 3, 4, 5) ", %1;"
#define HEDDLE_CC_STORED8 "[%0], " HEDDLE_CC_LIST8(2, 3, 4, 5, 6, 7, 8, 9) ", %1;"
#define HEDDLE_CC_SHAPE(m, n, k) ".m" #m "n" #n "k" #k

#define HEDDLE_CC_WMMA_LOAD(words, use, letter, layout, ptx_layout, m, n, k, type, ptx)                   \
  HEDDLE_CC_FUNCTION void load_matrix_sync(fragment<use, m, n, k, type, layout>& f,                       \
                                           const parts::Held<type>* from, unsigned stride) {              \
    unsigned w[words];                                                                                    \
    asm volatile("wmma.load." letter                                                                      \
                 ".sync.aligned." ptx_layout HEDDLE_CC_SHAPE(m, n, k) "." ptx " " HEDDLE_CC_LOADED##words \
                 : HEDDLE_CC_RESULTS##words(w)                                                            \
                 : HEDDLE_CC_ADDRESS(from), "r"(stride)                                                   \
                 : "memory");                                                                             \
    __builtin_memcpy(f.x, w, sizeof w);                                                                   \
  }
#define HEDDLE_CC_WMMA_LOADS(words_a, words_b, m, n, k, type, ptx)                  \
  HEDDLE_CC_WMMA_LOAD(words_a, matrix_a, "a", row_major, "row", m, n, k, type, ptx) \
  HEDDLE_CC_WMMA_LOAD(words_a, matrix_a, "a", col_major, "col", m, n, k, type, ptx) \
  HEDDLE_CC_WMMA_LOAD(words_b, matrix_b, "b", row_major, "row", m, n, k, type, ptx) \
  HEDDLE_CC_WMMA_LOAD(words_b, matrix_b, "b", col_major, "col", m, n, k, type, ptx)
#define HEDDLE_CC_WMMA_ACCUMULATOR(words, m, n, k, type, ptx)                                           \
  HEDDLE_CC_FUNCTION void load_matrix_sync(fragment<accumulator, m, n, k, type>& f, const type* from,   \
                                           unsigned stride, layout_t layout) {                          \
    unsigned w[words];                                                                                  \
    if (layout == mem_row_major)                                                                        \
      asm volatile("wmma.load.c.sync.aligned.row" HEDDLE_CC_SHAPE(m, n, k) "." ptx                      \
                                                                           " " HEDDLE_CC_LOADED##words  \
                   : HEDDLE_CC_RESULTS##words(w)                                                        \
                   : HEDDLE_CC_ADDRESS(from), "r"(stride)                                               \
                   : "memory");                                                                         \
    else                                                                                                \
      asm volatile("wmma.load.c.sync.aligned.col" HEDDLE_CC_SHAPE(m, n, k) "." ptx                      \
                                                                           " " HEDDLE_CC_LOADED##words  \
                   : HEDDLE_CC_RESULTS##words(w)                                                        \
                   : HEDDLE_CC_ADDRESS(from), "r"(stride)                                               \
                   : "memory");                                                                         \
    __builtin_memcpy(f.x, w, sizeof w);                                                                 \
  }                                                                                                     \
  HEDDLE_CC_FUNCTION void store_matrix_sync(type* to, const fragment<accumulator, m, n, k, type>& f,    \
                                            unsigned stride, layout_t layout) {                         \
    unsigned w[words];                                                                                  \
    __builtin_memcpy(w, f.x, sizeof w);                                                                 \
    if (layout == mem_row_major)                                                                        \
      asm volatile("wmma.store.d.sync.aligned.row" HEDDLE_CC_SHAPE(m, n, k) "." ptx                     \
                                                                            " " HEDDLE_CC_STORED##words \
                   :                                                                                    \
                   : HEDDLE_CC_ADDRESS(to), "r"(stride), HEDDLE_CC_SOURCES##words(w)                    \
                   : "memory");                                                                         \
    else                                                                                                \
      asm volatile("wmma.store.d.sync.aligned.col" HEDDLE_CC_SHAPE(m, n, k) "." ptx                     \
                                                                            " " HEDDLE_CC_STORED##words \
                   :                                                                                    \
                   : HEDDLE_CC_ADDRESS(to), "r"(stride), HEDDLE_CC_SOURCES##words(w)                    \
                   : "memory");                                                                         \
  }

// d = a x b + c. `text`: lists of registers in PTX. `words_d` to `words_c`: number of 32-bit registers of operands.
#define HEDDLE_CC_WMMA_WORDS(words_d, words_a, words_b, words_c) \
  unsigned wd[words_d], wa[words_a], wb[words_b], wc[words_c];   \
  __builtin_memcpy(wa, a.x, sizeof wa);                          \
  __builtin_memcpy(wb, b.x, sizeof wb);                          \
  __builtin_memcpy(wc, c.x, sizeof wc)
#define HEDDLE_CC_WMMA_ASM(words_d, words_a, words_b, words_c, text)             \
  asm volatile(text                                                              \
               : HEDDLE_CC_RESULTS##words_d(wd)                                  \
               : HEDDLE_CC_SOURCES##words_a(wa), HEDDLE_CC_SOURCES##words_b(wb), \
                 HEDDLE_CC_SOURCES##words_c(wc))
#define HEDDLE_CC_WMMA_FLOATS(d_, a_, b_, c_, m, n, k, la, pa, lb, pb, type_d, type, type_c, ptx, text)   \
  HEDDLE_CC_FUNCTION void mma_sync(                                                                       \
      fragment<accumulator, m, n, k, type_d>& d, const fragment<matrix_a, m, n, k, type, la>& a,          \
      const fragment<matrix_b, m, n, k, type, lb>& b, const fragment<accumulator, m, n, k, type_c>& c) {  \
    HEDDLE_CC_WMMA_WORDS(d_, a_, b_, c_);                                                                 \
    HEDDLE_CC_WMMA_ASM(d_, a_, b_, c_,                                                                    \
                       "wmma.mma.sync.aligned." pa "." pb HEDDLE_CC_SHAPE(m, n, k) "." ptx " " text ";"); \
    __builtin_memcpy(d.x, wd, sizeof wd);                                                                 \
  }
#define HEDDLE_CC_WMMA_BYTES(d_, a_, b_, c_, m, n, k, la, pa, lb, pb, type_d, type, type_c, ptx, text)       \
  HEDDLE_CC_FUNCTION void mma_sync(fragment<accumulator, m, n, k, type_d>& d,                                \
                                   const fragment<matrix_a, m, n, k, type, la>& a,                           \
                                   const fragment<matrix_b, m, n, k, type, lb>& b,                           \
                                   const fragment<accumulator, m, n, k, type_c>& c, bool saturate = false) { \
    HEDDLE_CC_WMMA_WORDS(d_, a_, b_, c_);                                                                    \
    if (saturate)                                                                                            \
      HEDDLE_CC_WMMA_ASM(d_, a_, b_, c_,                                                                     \
                         "wmma.mma.sync.aligned." pa                                                         \
                         "." pb HEDDLE_CC_SHAPE(m, n, k) "." ptx ".satfinite " text ";");                    \
    else                                                                                                     \
      HEDDLE_CC_WMMA_ASM(d_, a_, b_, c_,                                                                     \
                         "wmma.mma.sync.aligned." pa "." pb HEDDLE_CC_SHAPE(m, n, k) "." ptx " " text ";");  \
    __builtin_memcpy(d.x, wd, sizeof wd);                                                                    \
  }
#define HEDDLE_CC_WMMA(make, d_, a_, b_, c_, m, n, k, type_d, type, type_c, ptx, text)                     \
  make(d_, a_, b_, c_, m, n, k, row_major, "row", row_major, "row", type_d, type, type_c, ptx, text) make( \
      d_, a_, b_, c_, m, n, k, row_major, "row", col_major, "col", type_d, type, type_c, ptx, text)        \
      make(d_, a_, b_, c_, m, n, k, col_major, "col", row_major, "row", type_d, type, type_c, ptx, text)   \
          make(d_, a_, b_, c_, m, n, k, col_major, "col", col_major, "col", type_d, type, type_c, ptx, text)

#define HEDDLE_CC_TEXT8888                                                 \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7)                                  \
  ", " HEDDLE_CC_LIST8(8, 9, 10, 11, 12, 13, 14, 15) ", " HEDDLE_CC_LIST8( \
      16, 17, 18, 19, 20, 21, 22, 23) ", " HEDDLE_CC_LIST8(24, 25, 26, 27, 28, 29, 30, 31)
#define HEDDLE_CC_TEXT8884                                                 \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7)                                  \
  ", " HEDDLE_CC_LIST8(8, 9, 10, 11, 12, 13, 14, 15) ", " HEDDLE_CC_LIST8( \
      16, 17, 18, 19, 20, 21, 22, 23) ", " HEDDLE_CC_LIST4(24, 25, 26, 27)
#define HEDDLE_CC_TEXT4888                                             \
  HEDDLE_CC_LIST4(0, 1, 2, 3)                                          \
  ", " HEDDLE_CC_LIST8(4, 5, 6, 7, 8, 9, 10, 11) ", " HEDDLE_CC_LIST8( \
      12, 13, 14, 15, 16, 17, 18, 19) ", " HEDDLE_CC_LIST8(20, 21, 22, 23, 24, 25, 26, 27)
#define HEDDLE_CC_TEXT4884                                             \
  HEDDLE_CC_LIST4(0, 1, 2, 3)                                          \
  ", " HEDDLE_CC_LIST8(4, 5, 6, 7, 8, 9, 10, 11) ", " HEDDLE_CC_LIST8( \
      12, 13, 14, 15, 16, 17, 18, 19) ", " HEDDLE_CC_LIST4(20, 21, 22, 23)
#define HEDDLE_CC_TEXT8448                                                                      \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7)                                                       \
  ", " HEDDLE_CC_LIST4(8, 9, 10, 11) ", " HEDDLE_CC_LIST4(12, 13, 14, 15) ", " HEDDLE_CC_LIST8( \
      16, 17, 18, 19, 20, 21, 22, 23)
#define HEDDLE_CC_TEXT8828                                                                              \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7)                                                               \
  ", " HEDDLE_CC_LIST8(8, 9, 10, 11, 12, 13, 14, 15) ", " HEDDLE_CC_LIST2(16, 17) ", " HEDDLE_CC_LIST8( \
      18, 19, 20, 21, 22, 23, 24, 25)
#define HEDDLE_CC_TEXT8288                                                                              \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7)                                                               \
  ", " HEDDLE_CC_LIST2(8, 9) ", " HEDDLE_CC_LIST8(10, 11, 12, 13, 14, 15, 16, 17) ", " HEDDLE_CC_LIST8( \
      18, 19, 20, 21, 22, 23, 24, 25)
#define HEDDLE_CC_TEXT8228                \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7) \
  ", " HEDDLE_CC_LIST2(8, 9) ", " HEDDLE_CC_LIST2(10, 11) ", " HEDDLE_CC_LIST8(12, 13, 14, 15, 16, 17, 18, 19)
#define HEDDLE_CC_TEXT8418                                                                                 \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7)                                                                  \
  ", " HEDDLE_CC_LIST4(8, 9, 10, 11) ", " HEDDLE_CC_LIST1(12) ", " HEDDLE_CC_LIST8(13, 14, 15, 16, 17, 18, \
                                                                                   19, 20)
#define HEDDLE_CC_TEXT8148                                                                                 \
  HEDDLE_CC_LIST8(0, 1, 2, 3, 4, 5, 6, 7)                                                                  \
  ", " HEDDLE_CC_LIST1(8) ", " HEDDLE_CC_LIST4(9, 10, 11, 12) ", " HEDDLE_CC_LIST8(13, 14, 15, 16, 17, 18, \
                                                                                   19, 20)

#define HEDDLE_CC_WMMA_HALVES(m, n, k)                                                          \
  HEDDLE_CC_WMMA_LOADS(8, 8, m, n, k, __half, "f16")                                            \
  HEDDLE_CC_WMMA_ACCUMULATOR(4, m, n, k, __half, "f16")                                         \
  HEDDLE_CC_WMMA_ACCUMULATOR(8, m, n, k, float, "f32")                                          \
  HEDDLE_CC_WMMA_ACCUMULATOR(8, m, n, k, int, "s32")                                            \
  HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 8, 8, 8, 8, m, n, k, float, __half, float, "f32.f32",   \
                 HEDDLE_CC_TEXT8888)                                                            \
  HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 8, 8, 8, 4, m, n, k, float, __half, __half, "f32.f16",  \
                 HEDDLE_CC_TEXT8884)                                                            \
  HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 4, 8, 8, 8, m, n, k, __half, __half, float, "f16.f32",  \
                 HEDDLE_CC_TEXT4888)                                                            \
  HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 4, 8, 8, 4, m, n, k, __half, __half, __half, "f16.f16", \
                 HEDDLE_CC_TEXT4884)
HEDDLE_CC_WMMA_HALVES(16, 16, 16)
HEDDLE_CC_WMMA_HALVES(32, 8, 16)
HEDDLE_CC_WMMA_HALVES(8, 32, 16)

HEDDLE_CC_WMMA_LOADS(4, 4, 16, 16, 16, __nv_bfloat16, "bf16")
HEDDLE_CC_WMMA_LOADS(8, 2, 32, 8, 16, __nv_bfloat16, "bf16")
HEDDLE_CC_WMMA_LOADS(2, 8, 8, 32, 16, __nv_bfloat16, "bf16")
HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 8, 4, 4, 8, 16, 16, 16, float, __nv_bfloat16, float,
               "f32.bf16.bf16.f32", HEDDLE_CC_TEXT8448)
HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 8, 8, 2, 8, 32, 8, 16, float, __nv_bfloat16, float, "f32.bf16.bf16.f32",
               HEDDLE_CC_TEXT8828)
HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 8, 2, 8, 8, 8, 32, 16, float, __nv_bfloat16, float, "f32.bf16.bf16.f32",
               HEDDLE_CC_TEXT8288)

HEDDLE_CC_WMMA_LOADS(4, 4, 16, 16, 8, precision::tf32, "tf32")
HEDDLE_CC_WMMA_ACCUMULATOR(8, 16, 16, 8, float, "f32")
HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_FLOATS, 8, 4, 4, 8, 16, 16, 8, float, precision::tf32, float,
               "f32.tf32.tf32.f32", HEDDLE_CC_TEXT8448)

#define HEDDLE_CC_WMMA_INTEGERS(type, ptx)                                                                \
  HEDDLE_CC_WMMA_LOADS(2, 2, 16, 16, 16, type, ptx)                                                       \
  HEDDLE_CC_WMMA_LOADS(4, 1, 32, 8, 16, type, ptx)                                                        \
  HEDDLE_CC_WMMA_LOADS(1, 4, 8, 32, 16, type, ptx)                                                        \
  HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_BYTES, 8, 2, 2, 8, 16, 16, 16, int, type, int, "s32." ptx "." ptx ".s32", \
                 HEDDLE_CC_TEXT8228)                                                                      \
  HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_BYTES, 8, 4, 1, 8, 32, 8, 16, int, type, int, "s32." ptx "." ptx ".s32",  \
                 HEDDLE_CC_TEXT8418)                                                                      \
  HEDDLE_CC_WMMA(HEDDLE_CC_WMMA_BYTES, 8, 1, 4, 8, 8, 32, 16, int, type, int, "s32." ptx "." ptx ".s32",  \
                 HEDDLE_CC_TEXT8148)
HEDDLE_CC_WMMA_INTEGERS(unsigned char, "u8")
HEDDLE_CC_WMMA_INTEGERS(signed char, "s8")

// m8n8k4 of double.
#define HEDDLE_CC_WMMA_LOAD_F64(use, letter, layout, ptx_layout)                                          \
  HEDDLE_CC_FUNCTION void load_matrix_sync(fragment<use, 8, 8, 4, double, layout>& f, const double* from, \
                                           unsigned stride) {                                             \
    asm volatile("wmma.load." letter ".sync.aligned." ptx_layout ".m8n8k4.f64 {%0}, [%1], %2;"            \
                 : "=d"(f.x[0])                                                                           \
                 : HEDDLE_CC_ADDRESS(from), "r"(stride)                                                   \
                 : "memory");                                                                             \
  }
HEDDLE_CC_WMMA_LOAD_F64(matrix_a, "a", row_major, "row")
HEDDLE_CC_WMMA_LOAD_F64(matrix_a, "a", col_major, "col")
HEDDLE_CC_WMMA_LOAD_F64(matrix_b, "b", row_major, "row")
HEDDLE_CC_WMMA_LOAD_F64(matrix_b, "b", col_major, "col")
HEDDLE_CC_FUNCTION void load_matrix_sync(fragment<accumulator, 8, 8, 4, double>& f, const double* from,
                                         unsigned stride, layout_t layout) {
  if (layout == mem_row_major)
    asm volatile("wmma.load.c.sync.aligned.row.m8n8k4.f64 {%0,%1}, [%2], %3;"
                 : "=d"(f.x[0]), "=d"(f.x[1])
                 : HEDDLE_CC_ADDRESS(from), "r"(stride)
                 : "memory");
  else
    asm volatile("wmma.load.c.sync.aligned.col.m8n8k4.f64 {%0,%1}, [%2], %3;"
                 : "=d"(f.x[0]), "=d"(f.x[1])
                 : HEDDLE_CC_ADDRESS(from), "r"(stride)
                 : "memory");
}
HEDDLE_CC_FUNCTION void store_matrix_sync(double* to, const fragment<accumulator, 8, 8, 4, double>& f,
                                          unsigned stride, layout_t layout) {
  if (layout == mem_row_major)
    asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%0], {%2,%3}, %1;"
                 :
                 : HEDDLE_CC_ADDRESS(to), "r"(stride), "d"(f.x[0]), "d"(f.x[1])
                 : "memory");
  else
    asm volatile("wmma.store.d.sync.aligned.col.m8n8k4.f64 [%0], {%2,%3}, %1;"
                 :
                 : HEDDLE_CC_ADDRESS(to), "r"(stride), "d"(f.x[0]), "d"(f.x[1])
                 : "memory");
}
#define HEDDLE_CC_WMMA_F64(la, pa, lb, pb)                                                                  \
  HEDDLE_CC_FUNCTION void mma_sync(                                                                         \
      fragment<accumulator, 8, 8, 4, double>& d, const fragment<matrix_a, 8, 8, 4, double, la>& a,          \
      const fragment<matrix_b, 8, 8, 4, double, lb>& b, const fragment<accumulator, 8, 8, 4, double>& c) {  \
    double first, second;                                                                                   \
    asm volatile("wmma.mma.sync.aligned." pa "." pb ".m8n8k4.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};" \
                 : "=d"(first), "=d"(second)                                                                \
                 : "d"(a.x[0]), "d"(b.x[0]), "d"(c.x[0]), "d"(c.x[1]));                                     \
    d.x[0] = first;                                                                                         \
    d.x[1] = second;                                                                                        \
  }
HEDDLE_CC_WMMA_F64(row_major, "row", row_major, "row")
HEDDLE_CC_WMMA_F64(row_major, "row", col_major, "col")
HEDDLE_CC_WMMA_F64(col_major, "col", row_major, "row")
HEDDLE_CC_WMMA_F64(col_major, "col", col_major, "col")

#undef HEDDLE_CC_LIST1
#undef HEDDLE_CC_LIST2
#undef HEDDLE_CC_LIST4
#undef HEDDLE_CC_LIST8
#undef HEDDLE_CC_SHAPE

}  // namespace wmma
}  // namespace nvcuda
