// Tests CUDA functions that the host's C library lacks: results on host and device may differ only in the last places.
#include <cmath>
#include <limits>

#include "check.h"

constexpr int kFunctions = 10, kArguments = 64;

__host__ __device__ inline void all(double x, double* out) {
  const double unit = x - floor(x);  // 0 to 1; a fused operation on it is exact too
  out[0] = rsqrt(fabs(x) + 0.1);
  out[1] = rcbrt(x + 0.01);
  out[2] = sinpi(x);
  out[3] = cospi(x);
  out[4] = erfcx(x);
  out[5] = erfcinv(unit + 0.015625);
  out[6] = erfinv(unit - 0.5);
  out[7] = normcdf(x);
  out[8] = normcdfinv(unit * 0.5 + 0.015625);
  out[9] = max(min(x, 2.0f), -3.0) + max(min((float)x, 1.5f), -1.0f) + min((float)x, 0.5);
}
__global__ void on_device(const double* in, double* out) {
  all(in[threadIdx.x], out + kFunctions * threadIdx.x);
}

int main() {
  double in[kArguments], out[kArguments * kFunctions], *device_in, *device_out, expected[kFunctions];
  for (int i = 0; i < kArguments; ++i) in[i] = (i - 20) * 0.3712 + (i % 4 == 0 ? 0.125 * i : 0);
  in[0] = 7.5;
  in[1] = -3;
  MUST(cudaMalloc(&device_in, sizeof in));
  MUST(cudaMalloc(&device_out, sizeof out));
  MUST(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  on_device<<<1, kArguments>>>(device_in, device_out);
  MUST(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  long wrong = 0;
  for (int i = 0; i < kArguments; ++i) {
    all(in[i], expected);
    for (int f = 0; f < kFunctions; ++f) {
      const double off = std::fabs(out[kFunctions * i + f] - expected[f]);
      if (off <= 16 * std::numeric_limits<double>::epsilon() * std::fabs(expected[f])) continue;
      std::printf("function %d of %.17g: %.17g, on the host %.17g\n", f, in[i], out[kFunctions * i + f],
                  expected[f]);
      ++wrong;
    }
  }
  const float half = rsqrtf(4) - sinpif(0.5f) + cospif(0) + normcdff(0) - 0.5f;
  wrong += half != 0.5f;
  return report(wrong, kArguments * kFunctions + 1);
}
