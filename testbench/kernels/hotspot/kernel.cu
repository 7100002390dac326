#include "../shim.h"

constexpr int side = 16;

// Computes one step of heat flow on a chip: a five-point stencil over the temperatures, with the dissipated power as
// the source. A CTA of 16 x 16 threads loads its tile, and one more cell on each side, into shared memory. For a
// neighbour outside of the chip, the edge cell's own value is used.
__global__ void hotspot(const float* temperature, const float* power, float* next, int rows, int columns,
                        float conductance, float leak, float ambient) {
  __shared__ float tile[side + 2][side + 2];
  const int column = blockIdx.x * side + threadIdx.x;
  const int row = blockIdx.y * side + threadIdx.y;
  const int x = threadIdx.x + 1;
  const int y = threadIdx.y + 1;
  const int c = min(column, columns - 1);
  const int r = min(row, rows - 1);
  tile[y][x] = temperature[r * columns + c];
  if (threadIdx.x == 0) tile[y][0] = temperature[r * columns + max(c - 1, 0)];
  if (threadIdx.x == side - 1) tile[y][side + 1] = temperature[r * columns + min(c + 1, columns - 1)];
  if (threadIdx.y == 0) tile[0][x] = temperature[max(r - 1, 0) * columns + c];
  if (threadIdx.y == side - 1) tile[side + 1][x] = temperature[min(r + 1, rows - 1) * columns + c];
  __syncthreads();
  if (column >= columns || row >= rows) return;
  const float own = tile[y][x];
  const float west = tile[y][x - 1];
  const float east = column == columns - 1 ? own : tile[y][x + 1];
  const float north = tile[y - 1][x];
  const float south = row == rows - 1 ? own : tile[y + 1][x];
  const float flow = conductance * (west + east + north + south - 4.0f * own);
  next[row * columns + column] = own + flow + leak * (ambient - own) + power[row * columns + column];
}
