#include "models/isa/lanes/matrix_fragments.h"
#include "models/isa/matrix_operands.h"

#include <algorithm>

namespace heddle::isa::lanes {
namespace {

// Positions of matrix elements in the lanes, for all shapes except m8n8k4 of f16. The 32 lanes are 8 groups
// of 4. Each group holds a row of A (or C, D), or a column of B. The odd registers of A hold rows 8 and
// above. Within a group, consecutive lanes hold consecutive words along the depth.
int elements_of_word(DataType type) { return std::max(1, 32 / bits_of(type)); }

int quad_of(int lane) { return lane % 16 / 4; }
int upper_half(int lane) { return lane >= 16 ? 4 : 0; }

}  // namespace

MatrixPlace place_in_a(const Instruction& i, int lane, int index) {
  if (multiplies_by_quad_pairs(i)) {
    const int own = lane % 4, other = index % 4;
    return i.matrix.a_by_columns ? MatrixPlace{quad_of(lane), other + upper_half(lane), own}
                                 : MatrixPlace{quad_of(lane), own + upper_half(lane), other};
  }
  const int each = elements_of_word(i.source_type), word = index / each;
  const bool tall = i.matrix.rows == 16;
  const int row = lane / 4 + (tall ? 8 * (word % 2) : 0), block = tall ? word / 2 : word;
  return {0, row, (4 * block + lane % 4) * each + index % each};
}

MatrixPlace place_in_b(const Instruction& i, int lane, int index) {
  if (multiplies_by_quad_pairs(i)) {
    const int own = lane % 4, other = index % 4;
    return i.matrix.b_by_rows ? MatrixPlace{quad_of(lane), own, other + upper_half(lane)}
                              : MatrixPlace{quad_of(lane), other, own + upper_half(lane)};
  }
  const int each = elements_of_word(i.matrix.b_type), word = index / each;
  return {0, (4 * word + lane % 4) * each + index % each, lane / 4};
}

MatrixPlace place_in_c(const Instruction& i, DataType type, int lane, int index) {
  if (multiplies_by_quad_pairs(i)) {
    if (type == DataType::f16) return {quad_of(lane), lane % 4 + upper_half(lane), index};
    return {quad_of(lane), lane % 2 + (index & 2) + upper_half(lane), (index & 4) + (lane & 2) + (index & 1)};
  }
  return {0, lane / 4 + 8 * (index / 2), 2 * (lane % 4) + index % 2};
}

}  // namespace heddle::isa::lanes
