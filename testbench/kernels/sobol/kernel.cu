#include "../shim.h"

// Computes Sobol's sequence in Gray code. If two indices differ by a power of two, the numbers at these indices differ
// by the XOR of two direction vectors. A thread can therefore step from one number to the next by the grid's stride.
// CTAs with the same blockIdx.y compute one dimension.
__global__ void sequence(const uint* directions, float* points, uint* bits, int count, int dimensions) {
  __shared__ uint v[32];
  const int dimension = blockIdx.y;
  if (threadIdx.x < 32) v[threadIdx.x] = directions[32 * dimension + threadIdx.x];
  __syncthreads();
  const uint first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  const uint gray = first ^ (first >> 1);
  uint x = 0;
  for (int k = 0; k < 32 && gray >> k; ++k)
    if (gray >> k & 1) x ^= v[k];
  const int log2_stride = 31 - __clz((int)stride);
  for (uint i = first; i < (uint)count; i += stride) {
    points[dimensions * i + dimension] = (float)(x >> 8) * (1.0f / 16777216.0f);
    bits[dimension * count + i] = x;
    // The Gray codes of i and i + stride differ in two bits. With s = log2(stride) and z = the position of the lowest
    // 0 bit of i / stride, these are bits s - 1 and s + z.
    x ^= v[log2_stride - 1] ^ v[log2_stride + 31 - __clz((int)(~(i >> log2_stride) & ((i >> log2_stride) + 1)))];
  }
}
