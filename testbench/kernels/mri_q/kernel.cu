#include "../shim.h"

constexpr int samples_at_once = 512;
constexpr float two_pi = 6.2831853071795864769f;

struct __attribute__((aligned(16))) Sample {
  float kx, ky, kz;
  float magnitude;
};

// The k-space trajectory, which the host writes before the launches.
__constant__ Sample trajectory[samples_at_once];

__global__ void phi_magnitude(const float2* phi, float* magnitude, int samples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= samples) return;
  const float2 value = phi[i];
  magnitude[i] = value.x * value.x + value.y * value.y;
}

// Computes the Q matrix for MRI: for every voxel the sum over the samples of |phi|^2 exp(2 pi i k.x).
__global__ void compute_q(const float* x, const float* y, const float* z, const float* magnitude, float2* q,
                          int voxels, int samples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels) return;
  const float px = x[i];
  const float py = y[i];
  const float pz = z[i];
  float real = 0.0f;
  float imaginary = 0.0f;
  for (int k = 0; k < samples; ++k) {
    const float turns = trajectory[k].kx * px + trajectory[k].ky * py + trajectory[k].kz * pz;
    const float angle = two_pi * (turns - floorf(turns + 0.5f));
    const float weight = magnitude[k] * trajectory[k].magnitude;
    real += weight * __cosf(angle);
    imaginary += weight * __sinf(angle);
  }
  q[i] = make_float2(real, imaginary);
}
