// Tests 16-bit floats in host code: every operation must give the same bits as the device's instruction.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <vector>

#include "check.h"

constexpr int kResults = 33;
long wrong = 0, all_results = 0;

template <class Half>
__host__ __device__ Half of_bits(unsigned short bits);
template <>
__host__ __device__ __half of_bits(unsigned short bits) {
  return __ushort_as_half(bits);
}
template <>
__host__ __device__ __nv_bfloat16 of_bits(unsigned short bits) {
  return __ushort_as_bfloat16(bits);
}
__host__ __device__ unsigned short bits_of(__half v) { return __half_as_ushort(v); }
__host__ __device__ unsigned short bits_of(__nv_bfloat16 v) { return __bfloat16_as_ushort(v); }
__host__ __device__ __half2 pair_of(__half a, __half b) { return __halves2half2(a, b); }
__host__ __device__ __nv_bfloat162 pair_of(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __halves2bfloat162(a, b);
}
template <class Pair>
__host__ __device__ void put_pair(unsigned short*& out, Pair v) {
  *out++ = bits_of(v.x);
  *out++ = bits_of(v.y);
}
__host__ __device__ __half down(float v, __half) { return __float2half_rd(v); }
__host__ __device__ __nv_bfloat16 down(float v, __nv_bfloat16) { return __float2bfloat16_rd(v); }
__host__ __device__ __half toward_zero(float v, __half) { return __float2half_rz(v); }
__host__ __device__ __nv_bfloat16 toward_zero(float v, __nv_bfloat16) { return __float2bfloat16_rz(v); }
__host__ __device__ __half whole(int v, __half) { return __int2half_rn(v); }
__host__ __device__ __nv_bfloat16 whole(int v, __nv_bfloat16) { return __int2bfloat16_rn(v); }

template <class Half>
__host__ __device__ void all(const unsigned short* in, unsigned word, unsigned short* out) {
  const Half x = of_bits<Half>(in[0]), y = of_bits<Half>(in[1]), z = of_bits<Half>(in[2]);
  const float any = *(const float*)&word;
  *out++ = bits_of(x + y);
  *out++ = bits_of(x - y);
  *out++ = bits_of(x * y);
  *out++ = bits_of(x / y);
  *out++ = bits_of(__hfma(x, y, z));
  *out++ = bits_of(__hfma_relu(x, y, z));
  *out++ = bits_of(__hfma_sat(x, y, z));
  *out++ = bits_of(__hmul_sat(x, y));
  *out++ = bits_of(__hmin(x, y));
  *out++ = bits_of(__hmax_nan(x, y));
  *out++ = bits_of(Half(any));
  *out++ = bits_of(Half((double)any * 1.0009765625));
  *out++ = bits_of(down(any, x));
  *out++ = bits_of(toward_zero(any, x));
  *out++ = bits_of(whole((int)word, x));
  *out++ = bits_of(Half((long long)((unsigned long long)word << 28 | 1)));
  *out++ = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | __hltu(x, y) << 4 | __hequ(x, y) << 5 |
           __hne(x, y) << 6 | __hgeu(x, y) << 7;
  *out++ = (unsigned short)(int)of_bits<Half>(in[0] & 0x4bff);  // the mask keeps the value in the range of an int
  *out++ = bits_of(-x);
  *out++ = bits_of(of_bits<Half>(bits_of(Half((float)x))));
  put_pair(out, __hadd2(pair_of(x, y), pair_of(z, x)));
  put_pair(out, pair_of(x, y) * pair_of(z, x));
  put_pair(out, __hfma2(pair_of(x, y), pair_of(y, z), pair_of(z, x)));
  put_pair(out, __hle2(pair_of(x, y), pair_of(y, x)));
  const unsigned mask = __hgt2_mask(pair_of(x, y), pair_of(y, x));
  *out++ = (unsigned short)mask;
  *out++ = (unsigned short)(mask >> 16);
  put_pair(out, -pair_of(x, y) + +pair_of(y, z));
  *out++ = (pair_of(x, y) < pair_of(y, x)) | (pair_of(x, y) == pair_of(x, z)) << 1 |
           (pair_of(x, y) != pair_of(z, y)) << 2;
}

template <class Half>
__global__ void kernel(const unsigned short* in, const unsigned* words, unsigned short* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  all<Half>(in + 3 * i, words[i], out + kResults * i);
}

template <class Half>
void compare(const std::vector<unsigned short>& in, const std::vector<unsigned>& words) {
  const int count = (int)words.size();
  unsigned short *device_in, *device_out;
  unsigned* device_words;
  MUST(cudaMalloc(&device_in, in.size() * 2));
  MUST(cudaMalloc(&device_words, words.size() * 4));
  MUST(cudaMalloc(&device_out, count * kResults * 2));
  MUST(cudaMemset(device_out, 0, count * kResults * 2));
  MUST(cudaMemcpy(device_in, in.data(), in.size() * 2, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(device_words, words.data(), words.size() * 4, cudaMemcpyHostToDevice));
  kernel<Half><<<count / 64, 64>>>(device_in, device_words, device_out);
  std::vector<unsigned short> out(count * kResults), expected(count * kResults);
  MUST(cudaMemcpy(out.data(), device_out, out.size() * 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) all<Half>(&in[3 * i], words[i], &expected[kResults * i]);
  all_results += count * kResults;
  for (int i = 0; i < count * kResults; ++i) {
    if (out[i] != expected[i] && wrong < 20)
      printf("result %d of %04x %04x %04x, %08x: %04x, on the host %04x\n", i % kResults,
             in[i / kResults * 3], in[i / kResults * 3 + 1], in[i / kResults * 3 + 2], words[i / kResults],
             out[i], expected[i]);
    wrong += out[i] != expected[i];
  }
}

int main() {
  std::vector<unsigned short> in;
  std::vector<unsigned> words;
  unsigned state = 12345;
  const auto next = [&state] { return (state = state * 1664525u + 1013904223u) >> 8; };
  const unsigned short special[] = {0,      0x8000, 1,      0x8001, 0x3c00, 0x3f80, 0x7bff,
                                    0x7c00, 0xfc00, 0x7f7f, 0x7f80, 0xff80, 0x7fff, 0x0400};
  for (int i = 0; i < 1024; ++i) {
    for (int j = 0; j < 3; ++j) in.push_back(next() % 4 ? (unsigned short)next() : special[next() % 14]);
    // Numbers of all magnitudes, including midpoints.
    words.push_back(i % 2 ? next() << 8 ^ next()
                          : (unsigned)(next() % 45 + 0x62) << 23 | (next() % 64) << 12 | (next() % 2) << 31);
  }
  compare<__half>(in, words);
  compare<__nv_bfloat16>(in, words);
  return report(wrong, all_results);
}
