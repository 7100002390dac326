#include "../shim.h"

// Clusters a stream of points by facility location. The kernel proposes a point as a new centre, and opens this centre
// if the centre saves more than it costs. The kernel then closes centres that are no longer needed. Coordinates are
// stored by dimension. Coordinates and weights are small integers, so that every sum is exact.

// Returns the squared distance of point i from the point whose coordinates are in shared memory.
static __device__ float distance_to(const float* staged, const float* coordinates, int i, int points, int dimensions) {
  float sum = 0.0f;
  for (int d = 0; d < dimensions; ++d) {
    const float difference = coordinates[d * points + i] - staged[d];
    sum += difference * difference;
  }
  return sum;
}

__global__ void to_floats(const uchar* bytes, float* numbers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = (float)bytes[i];
}

// Assigns all points to the first centre, point 0. This centre gets column 0 (each centre has a column in the tables).
__global__ void open_first(const float* coordinates, const float* weights, float* costs, int* columns, int* centres,
                           int points, int dimensions) {
  extern __shared__ float staged[];
  for (int d = threadIdx.x; d < dimensions; d += blockDim.x) staged[d] = coordinates[d * points];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) centres[0] = 0;
  if (i >= points) return;
  costs[i] = weights[i] * distance_to(staged, coordinates, i, points, dimensions);
  columns[i] = 0;
}

// Computes how each point's cost changes if the point moves to the candidate centre. If the cost falls, writes the
// change to the last column of `table`. Otherwise writes the change to the column of the point's present centre: the
// point moves only if this present centre is closed.
__global__ void gains(const float* coordinates, const float* weights, const float* costs, const int* columns,
                      float* new_costs, float* table, int points, int dimensions, int width, int candidate) {
  extern __shared__ float staged[];
  for (int d = threadIdx.x; d < dimensions; d += blockDim.x) staged[d] = coordinates[d * points + candidate];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  const float cost = weights[i] * distance_to(staged, coordinates, i, points, dimensions), now = costs[i];
  new_costs[i] = cost;
  float* const row = table + (long long)i * width;
  row[cost < now ? width - 1 : columns[i]] = cost - now;
}

// One column per CTA.
__global__ void column_sums(const float* table, float* sums, int points, int width) {
  __shared__ float parts[128];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < points; i += blockDim.x) sum += table[(long long)i * width + blockIdx.x];
  parts[threadIdx.x] = sum;
  for (uint reach = 64; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) parts[threadIdx.x] += parts[threadIdx.x + reach];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

// Decides, in one thread, whether the candidate becomes a centre. closed[c] is 1 if column c's centre then closes.
// The last element, closed[width - 1], is the candidate's column, or -1 if the candidate does not become a centre.
__global__ void decide(const float* sums, int* centres, int* closed, int width, int candidate, float opening) {
  if (threadIdx.x != 0) return;
  float change = opening + sums[width - 1];
  int place = -1;
  for (int c = 0; c < width - 1; ++c) {
    const int goes = centres[c] >= 0 && sums[c] < opening;
    closed[c] = goes;
    if (goes) change += sums[c] - opening;
    if (place < 0 && (goes || centres[c] < 0)) place = c;
  }
  if (!(change < 0.0f)) place = -1;
  closed[width - 1] = place;
  if (place < 0) return;
  for (int c = 0; c < width - 1; ++c)
    if (closed[c]) centres[c] = -1;
  centres[place] = candidate;
}

__global__ void settle(const int* closed, const float* new_costs, float* costs, int* columns, int points, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int place = closed[width - 1];
  if (i >= points || place < 0) return;
  const float cost = new_costs[i];
  if (cost < costs[i] || closed[columns[i]]) {
    costs[i] = cost;
    columns[i] = place;
  }
}
