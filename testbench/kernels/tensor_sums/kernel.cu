#include "../matrix.h"

#ifndef __NVCC__
extern "C" __device__ int printf(const char*, ...);
#endif

constexpr int depth = 16;  // products per sum

// With matrix instructions, one warp computes sums of an addend and 16 products (c + factors[0] * others[0] + ...), and
// prints the sums. Factors are f16. The results depend on how many products the matrix unit sums at once, and on how
// many fraction bits it keeps (Khattak and Mikaitis, ACM TACO, doi 10.1145/3830409).
__global__ void tensor_sums(const ushort* factors, const ushort* others, const float* addends, float* results,
                            int count) {
  const int lane = threadIdx.x, place = lane % 4 * 2;
  const bool first_row = lane < 4;
  for (int i = 0; i < count; ++i) {
    const uint* const a = (const uint*)(factors + i * depth + place);
    const uint* const b = (const uint*)(others + i * depth + place);
    const uint part_a[4] = {first_row ? a[0] : 0u, 0u, first_row ? a[4] : 0u, 0u};
    const uint b0 = first_row ? b[0] : 0u, b1 = first_row ? b[4] : 0u;
    float sums[4] = {lane == 0 ? addends[i] : 0.0f, 0.0f, 0.0f, 0.0f};
    multiply_f16(sums, part_a, b0, b1);
    if (lane == 0) {
      results[i] = sums[0];
      printf("%08x\n", __float_as_int(sums[0]));
    }
  }
}
