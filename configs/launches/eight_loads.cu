#include "../../testbench/kernels/shim.h"

// Each thread repeats eight independent loads. Each of the eight loads accesses another cache line.
__global__ void eight_loads(const uint* words, uint* out, int rounds) {
  uint sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const uint* line = words + round * 8 * 1024 + threadIdx.x;
#pragma unroll
    for (int n = 0; n < 8; ++n) sum = sum * 3 + line[n * 1024];
  }
  out[threadIdx.x] = sum;
}
