#include "../shim.h"

// Simulates compressible flow without friction by finite volumes. Each cell has four neighbours. A cell's
// state is density, momentum and energy, in one array each. A neighbour of -1 is a wall; -2 is the
// undisturbed flow far away.

constexpr float gamma_less_1 = 0.4f;

struct State {
  float density, x, y, z, energy;
};
struct Flow {
  float speed_x, speed_y, speed_z, pressure, fastest;
};

static __device__ __forceinline__ State state_of(const float* states, int cell, int cells) {
  return {states[cell], states[cell + cells], states[cell + 2 * cells], states[cell + 3 * cells], states[cell + 4 * cells]};
}

static __device__ __forceinline__ Flow flow_of(const State& s) {
  const float per_density = __fdividef(1.0f, s.density);
  const float x = s.x * per_density, y = s.y * per_density, z = s.z * per_density;
  const float squared = x * x + y * y + z * z;
  const float pressure = gamma_less_1 * (s.energy - 0.5f * s.density * squared);
  return {x, y, z, pressure, sqrtf(squared) + sqrtf((1.0f + gamma_less_1) * pressure * per_density)};
}

// Adds the flow through a face, computed as the mean of the flows on both sides.
static __device__ __forceinline__ void add_face(State& sum, const State& s, const Flow& f, float nx, float ny, float nz) {
  const float through = 0.5f * (nx * f.speed_x + ny * f.speed_y + nz * f.speed_z), push = 0.5f * f.pressure;
  sum.density -= through * s.density;
  sum.x -= through * s.x + push * nx;
  sum.y -= through * s.y + push * ny;
  sum.z -= through * s.z + push * nz;
  sum.energy -= through * (s.energy + f.pressure);
}

__global__ void step_lengths(const float* states, const float* volumes, float* steps, int cells, float courant) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  const Flow f = flow_of(state_of(states, cell, cells));
  steps[cell] = __fdividef(courant, sqrtf(volumes[cell]) * f.fastest);
}

__global__ void fluxes(const float* states, const int* neighbours, const float* normals, float* changes, int cells, float smooth,
                       State far) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  const State own = state_of(states, cell, cells);
  const Flow own_flow = flow_of(own);
  State sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 1
  for (int face = 0; face < 4; ++face) {
    const int other = neighbours[cell + face * cells];
    const float nx = normals[cell + (3 * face) * cells], ny = normals[cell + (3 * face + 1) * cells],
                nz = normals[cell + (3 * face + 2) * cells];
    if (other == -1) {  // a wall exerts pressure; nothing flows through it
      sum.x -= nx * own_flow.pressure;
      sum.y -= ny * own_flow.pressure;
      sum.z -= nz * own_flow.pressure;
      continue;
    }
    const State beyond = other >= 0 ? state_of(states, other, cells) : far;
    const Flow flow = flow_of(beyond);
    const float damp = 0.5f * smooth * sqrtf(nx * nx + ny * ny + nz * nz) * (own_flow.fastest + flow.fastest);
    sum.density -= damp * (own.density - beyond.density);
    sum.x -= damp * (own.x - beyond.x);
    sum.y -= damp * (own.y - beyond.y);
    sum.z -= damp * (own.z - beyond.z);
    sum.energy -= damp * (own.energy - beyond.energy);
    add_face(sum, own, own_flow, nx, ny, nz);
    add_face(sum, beyond, flow, nx, ny, nz);
  }
  changes[cell] = sum.density;
  changes[cell + cells] = sum.x;
  changes[cell + 2 * cells] = sum.y;
  changes[cell + 3 * cells] = sum.z;
  changes[cell + 4 * cells] = sum.energy;
}

// Computes one stage of a Runge-Kutta step from the state at the beginning of the step.
__global__ void advance(const float* before, float* states, const float* steps, const float* changes, int cells, int part) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  const float factor = __fdividef(steps[cell], (float)(4 - part));
#pragma unroll
  for (int i = 0; i < 5; ++i) states[cell + i * cells] = before[cell + i * cells] + factor * changes[cell + i * cells];
}
