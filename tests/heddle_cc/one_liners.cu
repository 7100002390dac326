// Makes a kernel row_N of line N of one_liners.h. It stores the result of each thread in 8 bytes.
#include <cmath>
#include <cstdint>
#include <cstring>
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
__device__ inline unsigned long long bits_of(double v) { return (unsigned long long)__double_as_longlong(v); }
__device__ inline unsigned long long bits_of(float v) { return bits_of((double)v); }
template <class T>
__device__ inline unsigned long long bits_of(T v) { return (unsigned long long)v; }
#define LINE(family, device, host)                                                                                  \
  extern "C" __global__ void JOINED(row_, __LINE__)(const unsigned* words, const double* reals, unsigned long long* out) { \
    const int i = threadIdx.x;                                                                                      \
    const unsigned x = words[i], y = words[i + 32], z = words[i + 64];                                              \
    const int s = (int)x, t = (int)y;                                                                               \
    const unsigned long long p = (unsigned long long)y << 32 | x, q = (unsigned long long)z << 32 | y;              \
    const double d = reals[i], e = reals[i + 32];                                                                   \
    const float f = (float)d, g = (float)e, h = (float)reals[i + 64];                                               \
    (void)s, (void)t, (void)p, (void)q, (void)d, (void)e, (void)f, (void)g, (void)h, (void)z;                       \
    out[i] = bits_of(device);                                                                                       \
  }
#include "one_liners.h"
