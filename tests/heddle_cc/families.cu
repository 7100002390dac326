// Kernels whose results depend on more than the values of one thread, or on types that the host does not have.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>

namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void

KERNEL half_widen(float* out, float* brain) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __half2float(__ushort_as_half((unsigned short)i));
  brain[i] = __bfloat162float(__ushort_as_bfloat16((unsigned short)i));
}
KERNEL half_narrow(const float* in, unsigned short* out, unsigned short* brain) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = __half_as_ushort(__float2half_rn(in[i]));
  out[2 * i + 1] = __half_as_ushort(__float2half_rz(in[i]));
  brain[2 * i] = __bfloat16_as_ushort(__float2bfloat16_rn(in[i]));
  brain[2 * i + 1] = __bfloat16_as_ushort(__float2bfloat16_ru(in[i]));
}
template <class Half>
__device__ void operations(const unsigned short* in, unsigned short* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Half* x = (const Half*)in + 3 * i;
  Half* result = (Half*)out + 6 * i;
  result[0] = x[0] + x[1];
  result[1] = x[0] - x[1];
  result[2] = x[0] * x[1];
  result[3] = x[0] / x[1];
  result[4] = __hfma(x[0], x[1], x[2]);
  result[5] = hsqrt(__habs(x[0]));
}
KERNEL half_operations(const unsigned short* in, unsigned short* out) { operations<__half>(in, out); }
KERNEL bfloat_operations(const unsigned short* in, unsigned short* out) { operations<__nv_bfloat16>(in, out); }
KERNEL half_others(__half2* pairs, float* out) {
  const unsigned i = threadIdx.x;
  __shared__ __half2 sums;
  __shared__ __half one;
  if (i == 0) sums = __floats2half2_rn(0, 0), one = 0.0f;
  __syncthreads();
  atomicAdd(&sums, __floats2half2_rn(1.0f, 0.5f));
  atomicAdd(&one, __half(2));
  __syncthreads();
  const __half2 v = __hfma2(pairs[i], __float2half2_rn(2.0f), __hadd2(pairs[i], pairs[i]));
  out[8 * i] = __low2float(v);
  out[8 * i + 1] = __high2float(__hmul2(v, v));
  out[8 * i + 2] = __low2float(sums);
  out[8 * i + 3] = __high2float(sums);
  out[8 * i + 4] = one;
  out[8 * i + 5] = __half2float(__shfl_xor_sync(~0u, v.x, 1));
  out[8 * i + 6] = (float)(__hlt(v.x, __half(4)) + 2 * (v.x == v.x) + 4 * __hisnan(v.x) + 8 * __hbge2(v, v));
  out[8 * i + 7] = hexp2(__half((int)i % 4));
}

KERNEL groups(unsigned* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  const auto pair = cg::tiled_partition<2>(tile);
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned i = block.thread_rank();
  unsigned* mine = out + 20 * i;
  mine[0] = cg::reduce(tile, i, cg::plus<unsigned>());
  mine[1] = cg::reduce(warp, (int)i, cg::greater<int>());
  mine[2] = cg::inclusive_scan(tile, 1u);
  mine[3] = cg::exclusive_scan(warp, i);
  mine[4] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
  mine[5] = tile.ballot(i % 8 < 3);
  mine[6] = tile.any(i == 9) + 2 * tile.all(i >= 8);
  mine[7] = tile.shfl(i, 5);
  mine[8] = (unsigned)tile.shfl_down((double)i, 2);
  mine[9] = tile.shfl_xor(i, 4);
  mine[10] = pair.shfl_up(i, 1) + 100 * pair.meta_group_rank();
  mine[11] = mine[12] = mine[13] = mine[14] = 0;
  if (i % 3 == 0) {
    const cg::coalesced_group some = cg::coalesced_threads();
    mine[11] = some.size() + 100 * some.thread_rank();
    mine[12] = cg::reduce(some, i, cg::plus<unsigned>());
    mine[13] = some.shfl(i, 2);
    mine[14] = cg::inclusive_scan(some, 1u) + 100 * some.ballot(i > 3);
    some.sync();
  }
  const auto label = cg::labeled_partition(warp, (int)(i / 5));
  mine[15] = label.size() + 100 * label.thread_rank();
  const cg::thread_group any_group = tile;
  any_group.sync();
  mine[16] = any_group.size() + 100 * any_group.thread_rank();
  mine[17] = (unsigned)cg::this_grid().thread_rank();
  mine[18] = cg::tiled_partition(block, 4).thread_rank() + 10 * block.size();
  __shared__ unsigned kept;
  if (i == 40) kept = 7;
  cg::sync(block);
  mine[19] = kept;
}

KERNEL atomics(int* words, unsigned long long* longs, float* reals, double* doubles, unsigned short* shorts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned u = (unsigned)i;
  unsigned* unsigned_words = (unsigned*)words + 16;
  __shared__ int block_sum;
  __shared__ double block_real;
  if (threadIdx.x == 0) block_sum = 0, block_real = 0;
  __syncthreads();
  atomicAdd(words, i);
  atomicSub(words + 1, i);
  atomicMin(words + 2, -i);
  atomicMax(words + 3, i);
  atomicAnd(words + 4, ~(1 << (i & 31)));
  atomicOr(words + 5, 1 << (i & 31));
  atomicXor(words + 6, i);
  atomicExch(words + 7, 5);
  atomicAdd_system(words + 8, 1);
  atomicAdd_block(&block_sum, 1);
  atomicCAS(words + 9, i, i + 1);
  atomicAdd(unsigned_words, u);
  atomicInc(unsigned_words + 1, 10);
  atomicDec(unsigned_words + 2, 10);
  atomicMin(unsigned_words + 3, 1000 - u);
  atomicMax(unsigned_words + 4, u);
  atomicSub(unsigned_words + 5, u);
  atomicAnd_block(unsigned_words + 6, ~0u);
  atomicMax_system(unsigned_words + 7, u);
  for (unsigned seen = unsigned_words[8];;) {  // adds 3 by compare-and-swap in a loop, as a lock does
    const unsigned found = atomicCAS(unsigned_words + 8, seen, seen + 3);
    if (found == seen) break;
    seen = found;
  }
  atomicAdd(longs, (unsigned long long)i << 32);
  atomicMin(longs + 1, ~0ull - u);
  atomicMax((long long*)longs + 2, -(long long)i);
  atomicOr(longs + 3, 1ull << (i & 63));
  atomicXor(longs + 4, 1ull << (i & 63));
  atomicExch(longs + 5, 77ull);
  for (unsigned long long seen = longs[6];;) {
    const unsigned long long found = atomicCAS(longs + 6, seen, seen + (1ull << 33));
    if (found == seen) break;
    seen = found;
  }
  atomicAnd(longs + 7, ~(1ull << (i & 63)));
  atomicAdd_system(longs + 8, 1ull);
  atomicAdd(reals, 0.5f);
  atomicExch(reals + 1, 2.5f);
  atomicAdd_block(reals + 2, 1.0f);
  atomicAdd(doubles, 0.25);
  atomicAdd_block(&block_real, 0.5);
  atomicAdd_system(doubles + 1, 2.0);
  atomicCAS(shorts + 1, 3, 9);
  __syncthreads();
  if (threadIdx.x == 0) words[10 + blockIdx.x] = block_sum, doubles[2 + blockIdx.x] = block_real;
}

KERNEL philox_answers(const uint4* counters, const uint2* keys, uint4* out) {
  out[threadIdx.x] = heddle_cc::philox(counters[threadIdx.x], keys[threadIdx.x]);
}
KERNEL random_words(unsigned* xorwow, unsigned* philox, double* moments) {
  const unsigned i = threadIdx.x;
  const unsigned offset = i * 1000;
  curandState state;
  curand_init(0x123456789abcdefull, 0, offset, &state);
  for (int k = 0; k < 4; ++k) xorwow[8 * i + k] = curand(&state);
  // A sequence has 2^67 numbers, so 16 jumps of 2^63 steps lead `state` to sequence i + 1: it must then equal `next`.
  curand_init(42, i, 3, &state);
  for (int k = 0; k < 16; ++k) skipahead(1ull << 63, &state);
  curandState next;
  curand_init(42, i + 1, 3, &next);
  xorwow[8 * i + 4] = curand(&state);
  xorwow[8 * i + 5] = curand(&next);
  curandStatePhilox4_32_10_t p, q;
  curand_init(99, i, 5, &p);
  curand_init(99, i, 0, &q);
  skipahead(3, &q);
  skipahead(2, &q);
  philox[4 * i] = curand(&p);
  philox[4 * i + 1] = curand(&q);
  philox[4 * i + 2] = curand4(&p).y;
  curand(&q);
  philox[4 * i + 3] = curand(&q);
  double sum = 0, squares = 0, uniform = 0;
  for (int k = 0; k < 64; ++k) {
    const double v = k & 1 ? curand_normal(&p) : curand_normal_double(&next);
    sum += v;
    squares += v * v;
    uniform += k & 1 ? curand_uniform(&p) : curand_uniform_double(&next);
  }
  moments[3 * i] = sum;
  moments[3 * i + 1] = squares;
  moments[3 * i + 2] = uniform;
}

KERNEL combined_recurrences(unsigned* words, double* moments) {
  const unsigned i = threadIdx.x;
  curandStateMRG32k3a state, other;
  curand_init(0, 0, 1000 * i, &state);
  for (int k = 0; k < 4; ++k) words[8 * i + k] = curand(&state);
  curand_init(0x123456789abcdefull + i, 0, 0, &state);
  words[8 * i + 4] = curand(&state);
  curand_init(0, i, 3, &state);
  words[8 * i + 5] = curand(&state);
  skipahead_sequence(i, &state);
  words[8 * i + 6] = curand(&state);
  curand_init(42, i, 1ull << 63, &other);
  words[8 * i + 7] = curand(&state);
  double sum = 0, squares = 0, uniform = 0;
  for (int k = 0; k < 64; ++k) {
    const double v = k & 1 ? curand_normal(&state) : curand_normal_double(&other);
    sum += v;
    squares += v * v;
    uniform += k & 1 ? curand_uniform(&state) : curand_uniform_double(&other);
  }
  moments[3 * i] = sum;
  moments[3 * i + 1] = squares;
  moments[3 * i + 2] = uniform;
}

// Contains every kind of fence, each between two loads of a variable whose address is not taken. The compiler must keep
// all these loads.
KERNEL loads_stay(int* out) {
  __shared__ int kept;
  if (threadIdx.x == 0) kept = out[0];
  int sum = kept;
  __syncthreads();
  sum += kept;
  sum += __syncthreads_count(sum) + kept;
  sum += __syncthreads_and(sum) + kept;
  sum += __syncthreads_or(sum) + kept;
  __syncwarp();
  sum += kept;
  __threadfence();
  sum += kept;
  __threadfence_block();
  sum += kept;
  __threadfence_system();
  sum += kept;
  sum += atomicAdd(out + 1, 1);
  sum += kept;
  sum += atomicCAS(out + 2, 0, 1);
  sum += kept;
  atomicAdd((double*)out + 2, 1.0);
  sum += kept;
  sum += __shfl_sync(~0u, sum, 1);
  sum += kept;
  sum += (int)__ballot_sync(~0u, sum);
  sum += kept;
  cg::tiled_partition<4>(cg::this_thread_block()).sync();
  out[threadIdx.x + 8] = sum + kept;
}
