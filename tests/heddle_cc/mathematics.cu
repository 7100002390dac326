// Makes a kernel of every row of mathematics.h. The kernel's name is row_N, where N is the row's line number.
#include <cmath>
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define KERNEL extern "C" __global__ void JOINED(row_, __LINE__)
#define ONE(type, name, host, bound, low, high)               \
  KERNEL(const type* a, const type*, type* out) {             \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;      \
    out[i] = name(a[i]);                                      \
  }
#define TWO(type, name, host, bound, low, high, low2, high2)  \
  KERNEL(const type* a, const type* b, type* out) {           \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;      \
    out[i] = name(a[i], b[i]);                                \
  }
#include "mathematics.h"
