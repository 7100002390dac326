#include "../shim.h"

// Fourier transforms of 256 complex points, one per CTA of 128 threads: radix 2 in shared memory, decimation
// in time.
__global__ void fft(const float2* input, float2* output, float direction) {
  __shared__ float2 data[256];
  const unsigned int t = threadIdx.x;
  const unsigned int base = blockIdx.x * 256;
  data[__brev(t) >> 24] = input[base + t];
  data[__brev(t + 128) >> 24] = input[base + t + 128];
  __syncthreads();
  for (unsigned int half = 1; half < 256; half *= 2) {
    const unsigned int k = t & (half - 1);
    const unsigned int at = 2 * t - k;
    const float angle = direction * 3.14159265358979f * (float)k / (float)half;
    const float c = __cosf(angle);
    const float s = __sinf(angle);
    const float2 even = data[at];
    const float2 odd = data[at + half];
    const float2 turned = make_float2(c * odd.x - s * odd.y, c * odd.y + s * odd.x);
    data[at] = make_float2(even.x + turned.x, even.y + turned.y);
    data[at + half] = make_float2(even.x - turned.x, even.y - turned.y);
    __syncthreads();
  }
  output[base + t] = data[t];
  output[base + t + 128] = data[t + 128];
}
