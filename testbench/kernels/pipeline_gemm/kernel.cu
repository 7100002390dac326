#include "../matrix.h"

// A CTA computes `rows` x `columns` elements of c = a * b. One step of the CTA's loop multiplies `depth` columns of a
// by `depth` rows of b. Each of the CTA's four warps computes 16 x 32 elements of c.
constexpr int rows = 32, columns = 64, depth = 32;
// Row lengths in shared memory, padded so that 8 rows of 16 bytes lie in different banks.
constexpr int pitch_a = depth + 8, pitch_b = columns + 8;
constexpr int stages = 3;                                                 // number of buffers, one step's data in each
constexpr int bytes_a = rows * pitch_a * 2, bytes_b = depth * pitch_b * 2;  // bytes of one buffer

__global__ void narrow(const float* from, uint* to, int pairs) { convert_to_f16(from, to, pairs); }

// Copies this thread's share of the elements of one step to buffer `stage` in shared memory.
MATRIX_FUNCTION void copy_step(uint to_a, uint to_b, const ushort* a, const ushort* b, int width, int stage) {
  copy_later(to_a + stage * bytes_a, a);
  copy_later(to_b + stage * bytes_b, b);
  copy_later(to_b + stage * bytes_b + 16 * pitch_b * 2, b + 16 * width);
}

// Waits until the barrier has completed the phase of this parity.
MATRIX_FUNCTION void wait_for(uint barrier, uint parity) {
  uint done;
  do asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  while (!done);
}

// Computes c = a * b, stored by rows: a, b in half precision, c in single precision. Sizes are multiples of `rows`,
// `columns` and `depth`. Copies begin two steps before their data are used. Each of the `stages` buffers has two
// barriers: one counts the threads whose copies have arrived, the other counts the threads that have read the buffer.
__global__ void pipeline_gemm(const ushort* a, const ushort* b, float* c, int width, int inner) {
  __shared__ __attribute__((aligned(16))) ushort staged_a[stages * rows * pitch_a];
  __shared__ __attribute__((aligned(16))) ushort staged_b[stages * depth * pitch_b];
  __shared__ unsigned long long barriers[2 * stages];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row = blockIdx.y * rows, column = blockIdx.x * columns;
  const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 32;
  const uint from_a = shared_address(staged_a + (warp_row + lane % 16) * pitch_a + lane / 16 * 8);
  const uint from_b = shared_address(staged_b + lane % 16 * pitch_b + warp_column + lane / 16 * 8);
  const uint to_a = shared_address(staged_a + thread / 4 * pitch_a + thread % 4 * 8);
  const uint to_b = shared_address(staged_b + thread / 8 * pitch_b + thread % 8 * 8);
  const ushort* const source_a = a + (row + thread / 4) * inner + thread % 4 * 8;
  const ushort* const source_b = b + thread / 8 * width + column + thread % 8 * 8;
  const int steps = inner / depth;
  float sums[4][4] = {};
  const uint full = shared_address(barriers), empty = full + stages * 8;
  if (thread < 2 * stages) asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(full + thread * 8) : "memory");
  __syncthreads();
  for (int step = -2; step < steps; ++step) {
    const int next = step + 2;
    if (next < steps) {
      const int stage = next % stages;
      if (next >= stages) wait_for(empty + stage * 8, (next / stages + 1) % 2);
      copy_step(to_a, to_b, source_a + next * depth, source_b + next * depth * width, width, stage);
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(full + stage * 8) : "memory");
    }
    if (step < 0) continue;
    const int stage = step % stages;
    wait_for(full + stage * 8, step / stages % 2);
#pragma unroll
    for (int k = 0; k < depth; k += 16) {
      uint part_a[4];
      load_matrices(part_a, from_a + stage * bytes_a + k * 2);
#pragma unroll
      for (int n = 0; n < 4; n += 2) {
        uint part_b[4];
        load_transposed(part_b, from_b + stage * bytes_b + (k * pitch_b + n * 8) * 2);
        multiply_f16(sums[n], part_a, part_b[0], part_b[1]);
        multiply_f16(sums[n + 1], part_a, part_b[2], part_b[3]);
      }
    }
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(empty + stage * 8) : "memory");
  }
  float* const to = c + (row + warp_row + lane / 4) * width + column + warp_column + lane % 4 * 2;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    *(float2*)(to + n * 8) = make_float2(sums[n][0], sums[n][1]);
    *(float2*)(to + 8 * width + n * 8) = make_float2(sums[n][2], sums[n][3]);
  }
}
