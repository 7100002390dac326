#include "../shim.h"

constexpr int side = 16;

// Needleman-Wunsch: fills the score matrix of the global alignment of two sequences in tiles of 16 x 16. A
// launch computes one anti-diagonal of tiles. A CTA computes a tile in steps: one anti-diagonal of cells,
// then a barrier. The matrix has a border row and column, which nw_border fills with gap penalties.
__global__ void nw_border(int* score, int pitch, int penalty) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pitch) return;
  score[i] = -i * penalty;
  score[i * pitch] = -i * penalty;
}

__global__ void nw_tiles(int* score, const unsigned char* row_symbols, const unsigned char* column_symbols,
                         const signed char* similarity, int pitch, int penalty, int first_column,
                         int last_row) {
  __shared__ int cell[side + 1][side + 1];
  __shared__ int match[side][side];
  const int t = threadIdx.x;
  const int tile_x = first_column + blockIdx.x;
  const int tile_y = last_row - blockIdx.x;
  const int x0 = tile_x * side;
  const int y0 = tile_y * side;
  for (int y = 0; y < side; ++y) match[y][t] = similarity[row_symbols[y0 + y] * 4 + column_symbols[x0 + t]];
  if (t == 0) cell[0][0] = score[y0 * pitch + x0];
  cell[0][t + 1] = score[y0 * pitch + x0 + t + 1];
  cell[t + 1][0] = score[(y0 + t + 1) * pitch + x0];
  __syncthreads();
  for (int diagonal = 0; diagonal < 2 * side - 1; ++diagonal) {
    const int y = diagonal - t;
    if (y >= 0 && y < side) {
      const int aligned = cell[y][t] + match[y][t];
      const int gap = max(cell[y][t + 1], cell[y + 1][t]) - penalty;
      cell[y + 1][t + 1] = max(aligned, gap);
    }
    __syncthreads();
  }
  for (int y = 0; y < side; ++y) score[(y0 + y + 1) * pitch + x0 + t + 1] = cell[y + 1][t + 1];
}
