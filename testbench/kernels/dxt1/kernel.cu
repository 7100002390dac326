#include "../shim.h"

// Compresses textures to DXT1. A block of 4 x 4 pixels is stored as two end colours (5 + 6 + 5 bits) and a choice for
// each pixel: one of the end colours, or one of two colours between them. The kernel sorts the block's colours along
// their principal axis. It tries every way to cut the sorted colours into four groups. For each way, it finds the end
// colours that fit best. Sums are exact integers. All other values are rounded after each operation, so that the result
// does not depend on the compiler.

constexpr int pixels = 16;
constexpr int ways = 969;  // number of ways to choose three cuts: 0 <= first <= second <= third <= 16
constexpr int threads = 64;
constexpr int rounds = 4;  // rounds of the power method

static __device__ __forceinline__ float add(float a, float b) { return __fadd_rn(a, b); }
static __device__ __forceinline__ float mul(float a, float b) { return __fmul_rn(a, b); }

// Lists all ways to choose three cuts. A way's index is a sum of binomial coefficients of its cuts, so each
// way has its own index. Each thread tests one triple of cuts.
__global__ void dxt1_cuts(int* cuts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i % (pixels + 1);
  const int second = i / (pixels + 1) % (pixels + 1);
  const int third = i / (pixels + 1) / (pixels + 1);
  if (first > second || second > third || third > pixels) return;
  const int place = first + second * (second + 1) / 2 + third * (third + 1) * (third + 2) / 6;
  cuts[place] = first | second << 8 | third << 16;
}

struct Colour {
  int r, g, b;
};
struct Axis {
  float r, g, b;
};

static __device__ __forceinline__ Colour channels(uint pixel) {
  return {(int)(pixel & 255), (int)(pixel >> 8 & 255), (int)(pixel >> 16 & 255)};
}

// Returns the direction in which the colours differ most, by a few rounds of the power method on their
// covariance.
static __device__ Axis principal_axis(const uint* block) {
  int r = 0, g = 0, b = 0, rr = 0, rg = 0, rb = 0, gg = 0, gb = 0, bb = 0;
  for (int i = 0; i < pixels; ++i) {
    const Colour c = channels(block[i]);
    r += c.r, g += c.g, b += c.b;
    rr += c.r * c.r, rg += c.r * c.g, rb += c.r * c.b;
    gg += c.g * c.g, gb += c.g * c.b, bb += c.b * c.b;
  }
  const float crr = (float)(rr - r * r / pixels), crg = (float)(rg - r * g / pixels);
  const float crb = (float)(rb - r * b / pixels), cgg = (float)(gg - g * g / pixels);
  const float cgb = (float)(gb - g * b / pixels), cbb = (float)(bb - b * b / pixels);
  Axis axis = {1.0f, 1.0f, 1.0f};
  for (int round = 0; round < rounds; ++round) {
    const Axis next = {add(add(mul(crr, axis.r), mul(crg, axis.g)), mul(crb, axis.b)),
                       add(add(mul(crg, axis.r), mul(cgg, axis.g)), mul(cgb, axis.b)),
                       add(add(mul(crb, axis.r), mul(cgb, axis.g)), mul(cbb, axis.b))};
    const float most = fmaxf(fmaxf(fabsf(next.r), fabsf(next.g)), fabsf(next.b));
    if (most == 0.0f) break;
    axis = {__fdiv_rn(next.r, most), __fdiv_rn(next.g, most), __fdiv_rn(next.b, most)};
  }
  return axis;
}

// Solves for a channel of an end colour: 3 (x p - y q) / determinant, scaled from 0..255 to 0..top and clamped.
static __device__ __forceinline__ int fitted(int x, int p, int y, int q, int determinant, float top) {
  const float value = __fdiv_rn((float)(3 * (x * p - y * q)), (float)determinant);
  const float steps = floorf(add(mul(value, __fdiv_rn(top, 255.0f)), 0.5f));
  return (int)fminf(fmaxf(steps, 0.0f), top);
}
static __device__ __forceinline__ Colour widened(uint colour) {  // widens each channel to 8 bits
  const int r = colour >> 11, g = colour >> 5 & 63, b = colour & 31;
  return {r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2};
}

// Returns nine times the squared error of a colour channel with the end values `a` and `b`. Leaves out the terms that
// do not depend on the end colours. `x`, `y`: sums of the channel over the pixels, weighted for `a` and for `b`.
static __device__ __forceinline__ int error(int a, int b, int aa, int ab, int bb, int x, int y) {
  return a * a * aa + b * b * bb + 2 * (a * b * ab - 3 * (a * x + b * y));
}

__global__ void dxt1(const uint* image, uint2* compressed, const int* cuts, int width) {
  __shared__ uint block[pixels];
  __shared__ float places[pixels];
  __shared__ uint sorted[pixels];
  __shared__ int ranks[pixels];
  __shared__ Colour before[pixels + 1];  // element i: sum of the first i sorted colours
  __shared__ int best_error[threads];
  __shared__ int best_way[threads];
  __shared__ uint best_ends[threads];
  const int thread = threadIdx.x;
  if (thread < pixels)
    block[thread] = image[(blockIdx.y * 4 + thread / 4) * width + blockIdx.x * 4 + thread % 4];
  __syncthreads();
  if (thread < pixels) {
    const Axis axis = principal_axis(block);
    const Colour c = channels(block[thread]);
    places[thread] = add(add(mul(axis.r, (float)c.r), mul(axis.g, (float)c.g)), mul(axis.b, (float)c.b));
  }
  __syncthreads();
  if (thread < pixels) {
    int rank = 0;
    for (int i = 0; i < pixels; ++i)
      rank += places[i] < places[thread] || (places[i] == places[thread] && i < thread) ? 1 : 0;
    sorted[rank] = block[thread];
    ranks[thread] = rank;
  }
  __syncthreads();
  if (thread <= pixels) {
    Colour sum = {0, 0, 0};
    for (int i = 0; i < thread; ++i) {
      const Colour c = channels(sorted[i]);
      sum.r += c.r, sum.g += c.g, sum.b += c.b;
    }
    before[thread] = sum;
  }
  __syncthreads();

  // Finds the best way to cut the sorted pixels into four groups. Thirds of the first and the second end colour in the
  // colour of each group: 3 and 0, then 2 and 1, 1 and 2, 0 and 3.
  int least = 0x7fffffff, chosen = 0;
  uint ends = 0;
  const Colour all = before[pixels];
  for (int way = thread; way < ways; way += threads) {
    const int cut = cuts[way];
    const int first = cut & 255, second = cut >> 8 & 255, third = cut >> 16;
    const int aa = 9 * first + 4 * (second - first) + (third - second);
    const int bb = 9 * (pixels - third) + 4 * (third - second) + (second - first);
    const int ab = 2 * (third - first);
    const int determinant = aa * bb - ab * ab;
    if (determinant == 0) continue;
    const Colour s1 = before[first], s2 = before[second], s3 = before[third];
    const int xr = s1.r + s2.r + s3.r, xg = s1.g + s2.g + s3.g, xb = s1.b + s2.b + s3.b;
    const int yr = 3 * all.r - xr, yg = 3 * all.g - xg, yb = 3 * all.b - xb;
    const uint a = fitted(xr, bb, yr, ab, determinant, 31.0f) << 11 |
                   fitted(xg, bb, yg, ab, determinant, 63.0f) << 5 |
                   fitted(xb, bb, yb, ab, determinant, 31.0f);
    const uint b = fitted(yr, aa, xr, ab, determinant, 31.0f) << 11 |
                   fitted(yg, aa, xg, ab, determinant, 63.0f) << 5 |
                   fitted(yb, aa, xb, ab, determinant, 31.0f);
    const Colour wide_a = widened(a), wide_b = widened(b);
    const int wrong = error(wide_a.r, wide_b.r, aa, ab, bb, xr, yr) +
                      error(wide_a.g, wide_b.g, aa, ab, bb, xg, yg) +
                      error(wide_a.b, wide_b.b, aa, ab, bb, xb, yb);
    if (wrong < least) {
      least = wrong;
      chosen = way;
      ends = a << 16 | b;
    }
  }
  best_error[thread] = least;
  best_way[thread] = chosen;
  best_ends[thread] = ends;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    const int other = thread + half;
    if (thread < half && (best_error[other] < best_error[thread] ||
                          (best_error[other] == best_error[thread] && best_way[other] < best_way[thread]))) {
      best_error[thread] = best_error[other];
      best_way[thread] = best_way[other];
      best_ends[thread] = best_ends[other];
    }
    __syncthreads();
  }

  if (thread == 0) {
    // The larger end colour is stored first. Codes 0 and 1 select the first and the second end colour. Code 2 selects
    // the mixed colour nearer to the first end, code 3 the other.
    const int cut = cuts[best_way[0]];
    const uint a = best_ends[0] >> 16, b = best_ends[0] & 0xffff;
    uint codes = 0;
    for (int i = 0; i < pixels; ++i) {
      const int rank = ranks[i];
      const uint code = rank < (cut & 255) ? 0 : rank < (cut >> 8 & 255) ? 2 : rank < cut >> 16 ? 3 : 1;
      codes |= (a < b ? code ^ 1 : code) << 2 * i;
    }
    compressed[blockIdx.y * gridDim.x + blockIdx.x] =
        make_uint2(a < b ? b | a << 16 : a | b << 16, a == b ? 0 : codes);
  }
}
