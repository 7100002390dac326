#pragma once

// 8x8 matrices of 16-bit elements, which ldmatrix, stmatrix and movmatrix move (PTX ISA 9.0, 9.7.14.5). Lanes
// 8m to 8m + 7 hold the shared-memory addresses of the rows of matrix m. Register m of all lanes together
// holds the elements of matrix m.

#include "models/isa/mbarrier.h"

namespace heddle::isa {

inline constexpr int kMatrixRows = 8;
inline constexpr unsigned kMatrixRowBytes = 16;

/// Lane whose register holds an element, and the half of that register (0: the lower 16 bits).
struct ElementHolder {
  int lane = 0, half = 0;
};
/// Returns the lane and half register that hold an element of an 8x8 matrix. `transposed`: the registers hold
/// the transposed matrix.
constexpr ElementHolder holder_of(bool transposed, int row, int column) {
  const int line = transposed ? column : row, along = transposed ? row : column;
  return {4 * line + along / 2, along % 2};
}

/// Returns true for ldmatrix and stmatrix.
constexpr bool moves_matrices(const Instruction& i) { return i.matrix.rows != 0 && i.op != Opcode::mma; }

constexpr int matrices_of(const Instruction& i) { return i.op == Opcode::ld ? i.num_dst : i.num_src - 1; }

/// Returns the executing lanes that give addresses of the access. ldmatrix and stmatrix use 8 lanes for each
/// matrix.
constexpr LaneMask address_lanes(const Instruction& i, LaneMask executing) {
  const int rows = moves_matrices(i) ? kMatrixRows * matrices_of(i) : kLanes;
  return rows == kLanes ? executing : executing & ((LaneMask{1} << rows) - 1);
}

/// Returns the state space that the access reaches. A generic address of ldmatrix, stmatrix or an mbarrier
/// instruction means shared memory.
constexpr Space reached_space(const Instruction& i) {
  return moves_matrices(i) || is_mbarrier(i) ? Space::shared : i.memory.space;
}

}  // namespace heddle::isa
