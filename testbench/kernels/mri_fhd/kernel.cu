#include "../shim.h"

constexpr int samples_at_once = 256;
constexpr float two_pi = 6.2831853071795864769f;

struct __attribute__((aligned(16))) Sample {
  float kx, ky, kz;
  float unused;
};

// A part of the k-space trajectory, which the host writes before each launch.
__constant__ Sample trajectory[samples_at_once];

// Multiplies the measured values by the conjugate of the coils' phase: rho = conj(phi) d.
__global__ void rho(const float2* phi, const float2* measured, float2* product, int samples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= samples) return;
  const float2 p = phi[i], d = measured[i];
  product[i] = make_float2(p.x * d.x + p.y * d.y, p.x * d.y - p.y * d.x);
}

// Computes F^H d for MRI: for each voxel, the sum over all samples of rho exp(2 pi i k.x). Constant memory holds a part
// of the trajectory. Each launch adds the samples of this part.
__global__ void compute_fhd(const float* x, const float* y, const float* z, const float2* product, float2* fhd, int voxels,
                            int first, int samples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels) return;
  const float px = x[i], py = y[i], pz = z[i];
  float2 sum = fhd[i];
  for (int k = 0; k < samples; ++k) {
    const float turns = trajectory[k].kx * px + trajectory[k].ky * py + trajectory[k].kz * pz;
    const float angle = two_pi * (turns - floorf(turns + 0.5f));
    const float c = __cosf(angle), s = __sinf(angle);
    const float2 weight = product[first + k];
    sum.x += weight.x * c - weight.y * s;
    sum.y += weight.y * c + weight.x * s;
  }
  fhd[i] = sum;
}
