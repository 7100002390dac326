#include "../shim.h"

// Finds the cheapest paths through a grid, row by row; a launch advances `height` rows. A CTA computes a
// strip of columns, with a margin of `height` extra columns on each side. With each row, one more margin
// column on each side becomes invalid; the strip itself stays correct.
__global__ void pathfinder(const int* wall, const int* costs, int* next, int columns, int first_row,
                           int height) {
  extern __shared__ int row[];
  int* previous = row;
  int* current = row + blockDim.x;
  const int t = threadIdx.x;
  const int last = blockDim.x - 1;
  const int strip = blockDim.x - 2 * height;
  const int column = blockIdx.x * strip - height + t;
  const bool inside = column >= 0 && column < columns;
  previous[t] = inside ? costs[column] : 0x3fffffff;
  __syncthreads();
  for (int step = 0; step < height; ++step) {
    int best = previous[t];
    if (inside && t > step && t < last - step) {
      best = min(best, previous[t - 1]);
      best = min(best, previous[t + 1]);
      best += wall[(first_row + step) * columns + column];
    }
    current[t] = best;
    __syncthreads();
    int* swap = previous;
    previous = current;
    current = swap;
  }
  if (inside && t >= height && t < height + strip) next[column] = previous[t];
}
