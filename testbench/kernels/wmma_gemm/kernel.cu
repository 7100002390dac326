#include "../matrix.h"

constexpr int rows = 32, columns = 64, depth = 32;  // a CTA's part of c (16 x 32 per warp); depth of one step
constexpr int pitch_a = depth + 8, pitch_b = columns + 8;

#define LIST "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define WORDS(letter, w) \
  letter(w[0]), letter(w[1]), letter(w[2]), letter(w[3]), letter(w[4]), letter(w[5]), letter(w[6]), letter(w[7])
#define FRAGMENT(name, kind, word, letter, pointer, address)                                             \
  MATRIX_FUNCTION void name(word(&w)[8], pointer from, int pitch) {                                      \
    asm volatile(kind " " LIST ", [%8], %9;" : WORDS("=" letter, w) : address(from), "r"(pitch) : "memory"); \
  }
FRAGMENT(load_a, "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", uint, "r", uint, "r")
FRAGMENT(load_b, "wmma.load.b.sync.aligned.row.m16n16k16.shared.f16", uint, "r", uint, "r")
FRAGMENT(load_c, "wmma.load.c.sync.aligned.row.m16n16k16.f32", float, "f", const float*, MATRIX_ADDRESS)

MATRIX_FUNCTION void multiply(float (&c)[8], const uint (&a)[8], const uint (&b)[8]) {
  asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 " LIST
               ", {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, " LIST ";"
               : WORDS("+f", c)
               : WORDS("r", a), WORDS("r", b));
}
MATRIX_FUNCTION void store_d(float* to, const float (&w)[8], int pitch) {
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%8], " LIST ", %9;" ::WORDS("f", w), MATRIX_ADDRESS(to), "r"(pitch)
               : "memory");
}

__global__ void narrow(const float* from, uint* to, int pairs) { convert_to_f16(from, to, pairs); }

// c += a * b for matrices stored by rows: a and b in half precision, c in single precision. Sizes are multiples of
// `rows`, `columns` and `depth`.
__global__ void wmma_gemm(const ushort* a, const ushort* b, float* c, int width, int inner) {
  __shared__ __attribute__((aligned(16))) ushort staged_a[rows * pitch_a];
  __shared__ __attribute__((aligned(16))) ushort staged_b[depth * pitch_b];
  const int thread = threadIdx.x, warp = thread / 32;
  const int row = blockIdx.y * rows, column = blockIdx.x * columns;
  const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 32;
  const uint from_a = shared_address(staged_a + warp_row * pitch_a);
  const uint from_b = shared_address(staged_b + warp_column);
  float* const to = c + (row + warp_row) * width + column + warp_column;
  float left[8], right[8];
  load_c(left, to, width);
  load_c(right, to + 16, width);
  for (int from = 0; from < inner; from += depth) {
    *(uint4*)(staged_a + thread / 4 * pitch_a + thread % 4 * 8) =
        *(const uint4*)(a + (row + thread / 4) * inner + from + thread % 4 * 8);
#pragma unroll
    for (int i = 0; i < depth; i += 16)
      *(uint4*)(staged_b + (i + thread / 8) * pitch_b + thread % 8 * 8) =
          *(const uint4*)(b + (from + i + thread / 8) * width + column + thread % 8 * 8);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k += 16) {
      uint part_a[8], part_b[8];
      load_a(part_a, from_a + k * 2, pitch_a);
      load_b(part_b, from_b + k * pitch_b * 2, pitch_b);
      multiply(left, part_a, part_b);
      load_b(part_b, from_b + (k * pitch_b + 16) * 2, pitch_b);
      multiply(right, part_a, part_b);
    }
    __syncthreads();
  }
  store_d(to, left, width);
  store_d(to + 16, right, width);
}
