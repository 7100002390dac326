#include "../shim.h"

// A Gaussian filter of any width as a recursive filter of second order. A thread filters one column, forwards and
// backwards. The picture is then transposed and filtered again. Each pixel has four components.

struct Filter {
  float a0, a1, a2, a3, b1, b2;
  float forward, backward;  // gain of each pass for a constant picture
};

static __device__ __forceinline__ float step(float a, float now, float b, float before, float b1, float last, float b2, float last_but_one) {
  return __fmaf_rn(a, now, __fmaf_rn(b, before, -__fmaf_rn(b1, last, __fmul_rn(b2, last_but_one))));
}

__global__ void columns(const float4* from, float4* to, int width, int height, Filter f) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  const float4 top = from[x];
  float4 before = top;
  float4 last = make_float4(top.x * f.forward, top.y * f.forward, top.z * f.forward, top.w * f.forward);
  float4 last_but_one = last;
  for (int y = 0; y < height; ++y) {
    const float4 now = from[y * width + x];
    const float4 done = make_float4(step(f.a0, now.x, f.a1, before.x, f.b1, last.x, f.b2, last_but_one.x),
                                    step(f.a0, now.y, f.a1, before.y, f.b1, last.y, f.b2, last_but_one.y),
                                    step(f.a0, now.z, f.a1, before.z, f.b1, last.z, f.b2, last_but_one.z),
                                    step(f.a0, now.w, f.a1, before.w, f.b1, last.w, f.b2, last_but_one.w));
    to[y * width + x] = done;
    before = now, last_but_one = last, last = done;
  }
  float4 after = from[(height - 1) * width + x], after_next = after;
  last = make_float4(after.x * f.backward, after.y * f.backward, after.z * f.backward, after.w * f.backward);
  last_but_one = last;
  for (int y = height - 1; y >= 0; --y) {
    const float4 now = from[y * width + x];
    const float4 back = make_float4(step(f.a2, after.x, f.a3, after_next.x, f.b1, last.x, f.b2, last_but_one.x),
                                    step(f.a2, after.y, f.a3, after_next.y, f.b1, last.y, f.b2, last_but_one.y),
                                    step(f.a2, after.z, f.a3, after_next.z, f.b1, last.z, f.b2, last_but_one.z),
                                    step(f.a2, after.w, f.a3, after_next.w, f.b1, last.w, f.b2, last_but_one.w));
    const float4 there = to[y * width + x];
    to[y * width + x] = make_float4(__fadd_rn(there.x, back.x), __fadd_rn(there.y, back.y), __fadd_rn(there.z, back.z),
                                    __fadd_rn(there.w, back.w));
    after_next = after, after = now, last_but_one = last, last = back;
  }
}

// Transposes tiles of 16 x 16. The extra column avoids bank conflicts within a warp.
__global__ void transpose(const float4* from, float4* to, int width, int height) {
  __shared__ float4 tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = from[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) to[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
