#include "../shim.h"

constexpr int rows = 8, pairs = 16,
              depth = 16;  // rows x pairs: a CTA's part of the product; depth: of the parts of a and b in shared memory

// Two half-precision numbers in a word, the first in the low half.
typedef uint Half2;

static __device__ __forceinline__ Half2 narrowed(float low, float high) {
  Half2 d;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
  return d;
}
static __device__ __forceinline__ Half2 fused(Half2 a, Half2 b, Half2 c) {
  Half2 d;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
static __device__ __forceinline__ Half2 fused_positive(Half2 a, Half2 b, Half2 c) {
  Half2 d;
  asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
static __device__ __forceinline__ Half2 product(Half2 a, Half2 b) {
  Half2 d;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}
static __device__ __forceinline__ Half2 twice(ushort value) {
  Half2 d;
  asm("mov.b32 %0, {%1, %1};" : "=r"(d) : "h"(value));
  return d;
}

__global__ void narrow(const float* from, Half2* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = narrowed(from[2 * i], from[2 * i + 1]);
}

// c = max(alpha * a * b + beta * c, 0) in half precision, stored by rows, with two columns per thread. Sums are in half
// precision, too. Sizes are multiples of `rows`, 2 * `pairs` columns and `depth`.
__global__ void half_gemm(const ushort* a, const Half2* b, Half2* c, int width, int inner, float alpha,
                          float beta) {
  __shared__ ushort staged_a[rows][depth];
  __shared__ Half2 staged_b[depth][pairs];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * pairs + x, row = blockIdx.y * rows + y;
  Half2 sum = 0;
  for (int from = 0; from < inner; from += depth) {
    staged_a[y][x] = a[row * inner + from + x];
#pragma unroll
    for (int i = 0; i < depth; i += rows) staged_b[y + i][x] = b[(from + y + i) * width + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) sum = fused(twice(staged_a[y][k]), staged_b[k][x], sum);
    __syncthreads();
  }
  Half2* const at = c + row * width + column;
  *at = fused_positive(narrowed(alpha, alpha), sum, product(narrowed(beta, beta), *at));
}
