#include "../shim.h"

constexpr float half_root = 0.70710678118654752440f;

// Computes Haar wavelets of a signal. A CTA computes all levels of its piece of the signal in shared memory, two values
// per thread. At each level, half of the threads become idle. The next launch takes the remaining means as its signal.
// Details are stored after the mean, the finest details last.
__global__ void decompose(const float* signal, float* details, float* left, int length) {
  extern __shared__ float values[];
  const int thread = threadIdx.x, piece = blockIdx.x;
  values[thread] = signal[2 * blockDim.x * piece + thread];
  values[thread + blockDim.x] = signal[2 * blockDim.x * piece + thread + blockDim.x];
  for (int count = blockDim.x, from = length >> 1; count > 0; count >>= 1, from >>= 1) {
    float sum = 0.0f;
    __syncthreads();
    if (thread < count) {
      const float a = values[2 * thread], b = values[2 * thread + 1];
      sum = __fmul_rn(__fadd_rn(a, b), half_root);
      details[from + count * piece + thread] = __fmul_rn(__fadd_rn(a, -b), half_root);
    }
    __syncthreads();
    if (thread < count) values[thread] = sum;
  }
  if (thread == 0) left[piece] = values[0];
}
