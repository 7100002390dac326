#include "../matrix.h"

constexpr int width = 32;          // elements of a query, key or value
constexpr int keys = 16;           // keys per step of the loop
constexpr int pitch = width + 8;   // row length in shared memory

__global__ void narrow(const float* from, uint* to, int pairs) { convert_to_f16(from, to, pairs); }

static __device__ __forceinline__ float power_of_two(float v) { return __nvvm_ex2_approx_f(v); }
// Return the largest number of a row, or the sum of a row. Four lanes hold a row.
static __device__ __forceinline__ float largest_of_row(float v) {
  v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 1));
  return fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 2));
}
static __device__ __forceinline__ float sum_of_row(float v) {
  v += __shfl_xor_sync(0xffffffffu, v, 1);
  return v + __shfl_xor_sync(0xffffffffu, v, 2);
}

// Computes one head of attention: out = softmax(query * key^T * scale) * value, in one pass over the keys. A warp holds
// 16 queries, so a CTA of four warps holds 64. Scores are in single precision, weights are rounded to half precision.
// `count` is a multiple of 64. `scale` contains the factor log2(e).
__global__ void flash_attention(const ushort* query, const ushort* key, const ushort* value, float* out, int count,
                                float scale) {
  __shared__ __attribute__((aligned(16))) ushort staged_query[64 * pitch];
  __shared__ __attribute__((aligned(16))) ushort staged_key[keys * pitch];
  __shared__ __attribute__((aligned(16))) ushort staged_value[keys * pitch];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int place = thread / 4 * pitch + thread % 4 * 8, at = thread / 4 * width + thread % 4 * 8;
  // The first half of the CTA's threads copies keys, the second half values.
  const bool copies_keys = thread < 64;
  const ushort* const source = copies_keys ? key + at : value + at - keys * width;
  ushort* const copied = copies_keys ? staged_key + place : staged_value + place - keys * pitch;
  const ushort* const from = query + blockIdx.x * 64 * width;
  *(uint4*)(staged_query + place) = *(const uint4*)(from + at);
  *(uint4*)(staged_query + place + 32 * pitch) = *(const uint4*)(from + at + 32 * width);
  __syncthreads();
  uint queries[2][4];
  const uint from_query = shared_address(staged_query + (warp * 16 + lane % 16) * pitch + lane / 16 * 8);
  load_matrices(queries[0], from_query);
  load_matrices(queries[1], from_query + 32);
  const uint from_key = shared_address(staged_key + (lane / 16 * 8 + lane % 8) * pitch + lane / 8 % 2 * 8);
  const uint from_value = shared_address(staged_value + lane % 16 * pitch + lane / 16 * 8);
  float sums[4][4] = {}, most[2] = {-1e30f, -1e30f}, total[2] = {};
  for (int first = 0; first < count; first += keys) {
    *(uint4*)copied = *(const uint4*)(source + first * width);
    __syncthreads();
    float scores[2][4] = {};
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      uint part[4];
      load_matrices(part, from_key + k * 32);
      multiply_f16(scores[0], queries[k], part[0], part[1]);
      multiply_f16(scores[1], queries[k], part[2], part[3]);
    }
    uint weights[4];  // operand A of the second matrix product, weights * value
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float highest = fmaxf(fmaxf(scores[0][2 * half], scores[0][2 * half + 1]),
                            fmaxf(scores[1][2 * half], scores[1][2 * half + 1]));
      highest = fmaxf(most[half], largest_of_row(highest) * scale);
      const float factor = power_of_two(most[half] - highest);
      most[half] = highest;
      total[half] *= factor;
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const float first_weight = power_of_two(__fmaf_rn(scores[n][2 * half], scale, -highest));
        const float second_weight = power_of_two(__fmaf_rn(scores[n][2 * half + 1], scale, -highest));
        total[half] += first_weight + second_weight;
        weights[2 * n + half] = pair_f16(first_weight, second_weight);
      }
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        sums[n][2 * half] *= factor;
        sums[n][2 * half + 1] *= factor;
      }
    }
#pragma unroll
    for (int n = 0; n < 4; n += 2) {
      uint part[4];
      load_transposed(part, from_value + n * 16);
      multiply_f16(sums[n], weights, part[0], part[1]);
      multiply_f16(sums[n + 1], weights, part[2], part[3]);
    }
    __syncthreads();
  }
  float* const to = out + (blockIdx.x * 64 + warp * 16 + lane / 4) * width + lane % 4 * 2;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float share = __fdiv_rn(1.0f, sum_of_row(total[half]));
#pragma unroll
    for (int n = 0; n < 4; ++n)
      *(float2*)(to + half * 8 * width + n * 8) =
          make_float2(sums[n][2 * half] * share, sums[n][2 * half + 1] * share);
  }
}
