#include "../../testbench/kernels/shim.h"

// One chain of dependent multiply-adds per thread, with all three operands in registers.
__global__ void fma_chain(const float* factors, float* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = factors[2 * i], term = factors[2 * i + 1];
  float value = factor;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int n = 0; n < 64; ++n) value = value * factor + term;
  }
  out[i] = value;
}
