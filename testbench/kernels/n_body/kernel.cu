#include "../shim.h"

struct Step {
  float seconds;
  float softening;
};

// Computes one time step of gravity between all pairs of bodies. A body is (x, y, z, mass), read as a vector of four. A
// CTA loads as many bodies into shared memory as it has threads.
__global__ void n_body(const float4* old_bodies, float4* bodies, float4* velocities, int count, Step step) {
  extern __shared__ float4 staged[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = i < count ? old_bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < count; first += blockDim.x) {
    const int other = first + threadIdx.x;
    staged[threadIdx.x] = other < count ? old_bodies[other] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
#pragma unroll 4
    for (unsigned int k = 0; k < blockDim.x; ++k) {
      const float4 body = staged[k];
      const float dx = body.x - own.x;
      const float dy = body.y - own.y;
      const float dz = body.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + step.softening);
      const float pull = body.w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i >= count) return;
  float4 velocity = velocities[i];
  velocity.x += ax * step.seconds;
  velocity.y += ay * step.seconds;
  velocity.z += az * step.seconds;
  velocities[i] = velocity;
  bodies[i] = make_float4(own.x + velocity.x * step.seconds, own.y + velocity.y * step.seconds,
                          own.z + velocity.z * step.seconds, own.w);
}
