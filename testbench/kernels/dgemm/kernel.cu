#include "../shim.h"

constexpr int threads = 8;  // in each direction
constexpr int own_rows = 4, own_columns = 2;
constexpr int rows = threads * own_rows, columns = threads * own_columns;  // size of a CTA's part of the product
constexpr int depth = 8;               // depth of the parts of a and b in shared memory
constexpr int pairs_a = rows / 2 + 1;  // one pair more, so that the columns of a are in different banks
constexpr int pairs_b = columns / 2;

// A double that is aligned to 8 bytes, even if the ABI of a 32-bit host requires less.
typedef double __attribute__((aligned(8))) Value;

// Computes c = alpha * a * b + beta * c in double precision. Matrices are stored by rows. Sizes are multiples of
// `rows`, `columns` and `depth`. A thread keeps 4 x 2 sums in registers. For each of the `depth` products, the thread
// reads four values of a and two of b, two at a time.
__global__ void dgemm(const Value* a, const Value* b, Value* c, int width, int inner, double alpha,
                      double beta) {
  __shared__ double2 staged_a[depth * pairs_a];
  __shared__ double2 staged_b[depth * pairs_b];
  const int thread = threadIdx.y * threads + threadIdx.x;
  a += (blockIdx.y * rows + threadIdx.y) * inner + threadIdx.x;
  b += thread / columns * width + blockIdx.x * columns + thread % columns;
  double* to_a = (double*)staged_a + threadIdx.x * 2 * pairs_a + threadIdx.y;
  double* to_b = (double*)staged_b + thread;
  double sums[own_rows][own_columns] = {};
  for (int left = inner; left > 0; left -= depth) {
#pragma unroll
    for (int i = 0; i < own_rows; ++i) to_a[i * threads] = a[i * threads * inner];
    a += depth;
#pragma unroll
    for (int i = 0; i < own_columns; ++i) {
      to_b[i * threads * threads] = *b;
      b += depth / own_columns * width;
    }
    __syncthreads();
    const double2* from_a = staged_a + threadIdx.y;
    const double2* from_b = staged_b + threadIdx.x;
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      const double2 a0 = from_a[k * pairs_a], a1 = from_a[k * pairs_a + threads], b0 = from_b[k * pairs_b];
      const double values[own_rows] = {a0.x, a0.y, a1.x, a1.y};
#pragma unroll
      for (int y = 0; y < own_rows; ++y) {
        sums[y][0] = __fma_rn(values[y], b0.x, sums[y][0]);
        sums[y][1] = __fma_rn(values[y], b0.y, sums[y][1]);
      }
    }
    __syncthreads();
  }
  c += (blockIdx.y * rows + 2 * threadIdx.y) * width + blockIdx.x * columns + 2 * threadIdx.x;
#pragma unroll
  for (int y = 0; y < own_rows; ++y)
#pragma unroll
    for (int x = 0; x < own_columns; ++x) {
      const int at = (y / 2 * 2 * threads + y % 2) * width + x;
      c[at] = __fma_rn(alpha, sums[y][x], __dmul_rn(beta, c[at]));
    }
}
