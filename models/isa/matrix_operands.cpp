#include "models/isa/matrix_operands.h"

#include "models/isa/matrix_rows.h"

namespace heddle::isa {
namespace {

constexpr int kWordBits = 32, kWarp = 32;

}  // namespace

bool multiplies_by_quad_pairs(const Instruction& i) {
  return i.matrix.rows == 8 && i.matrix.depth == 4 && i.source_type == DataType::f16;
}

MatrixWords matrix_words(const Instruction& i) {
  const int quads = multiplies_by_quad_pairs(i) ? 4 : 1;
  const auto words = [quads](int elements, DataType type) {
    return quads * elements * bits_of(type) / (kWordBits * kWarp);
  };
  const MatrixShape& m = i.matrix;
  return {words(m.rows * m.columns, i.type), words(m.rows * m.depth, i.source_type),
          words(m.columns * m.depth, m.b_type), words(m.rows * m.columns, m.c_type)};
}

int matrix_products(const Instruction& i) {
  return (multiplies_by_quad_pairs(i) ? 4 : 1) * i.matrix.rows * i.matrix.columns * i.matrix.depth;
}

std::string_view matrix_refusal(const Instruction& i, MatrixGeneration generation) {
  if (i.source_type == DataType::tf32 && generation < MatrixGeneration::ampere)
    return "tf32 came with the matrix units of ampere";
  const bool bytes = i.source_type == DataType::e4m3 || i.source_type == DataType::e5m2;
  if (bytes && generation < MatrixGeneration::ada) return "8-bit floats came with the matrix units of ada";
  return {};
}

std::string_view matrix_name(const Instruction& instruction) {
  if (!moves_matrices(instruction)) return name_of(instruction.op);
  return instruction.op == Opcode::ld ? "ldmatrix" : "stmatrix";
}

std::string partial_warp(const Instruction& instruction, LaneMask executing) {
  std::string digits(8, '0');
  for (std::size_t k = digits.size(); k-- > 0; executing >>= 4)
    digits[k] = "0123456789abcdef"[executing & 15u];
  return std::string(matrix_name(instruction)) + " is executed by the lanes " + digits + " of a warp only";
}

}  // namespace heddle::isa
