#include "models/isa/lanes/matrix_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "models/isa/lanes/matrix_fragments.h"
#include "models/isa/lanes/matrix_sums.h"
#include "models/isa/matrix_operands.h"

namespace heddle::isa::lanes {
namespace {

// Sizes that suffice for every shape. In m8n8k4 of f16, each of a warp's four quad pairs (eight lanes)
// multiplies matrices of its own. kRows: total number of rows of these A, and of columns of these B; those
// of quad pair q begin at 8 q. kColumns: number of columns of one B.
constexpr int kRows = 32, kColumns = 8;

int elements_of(int words, DataType type) { return words * 32 / bits_of(type); }

/// Returns element `index` of the elements that a lane holds. `words`: the consecutive register words of the
/// operand.
std::uint64_t element(const LaneVec* words, int lane, int index, DataType type) {
  const int bits = bits_of(type);
  if (bits == 64) return words[2 * index].lane[lane] | std::uint64_t{words[2 * index + 1].lane[lane]} << 32;
  const int each = 32 / bits;
  const std::uint32_t word = words[index / each].lane[lane];
  return bits == 32 ? word : word >> (bits * (index % each)) & ((1u << bits) - 1);
}

void put_element(LaneVec* words, int lane, int index, DataType type, std::uint64_t value) {
  const int bits = bits_of(type);
  if (bits == 64) {
    words[2 * index].lane[lane] = static_cast<std::uint32_t>(value);
    words[2 * index + 1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
    return;
  }
  const int each = 32 / bits;
  std::uint32_t& word = words[index / each].lane[lane];
  if (index % each == 0) word = 0;
  word |= static_cast<std::uint32_t>(value) << (bits * (index % each));
}

/// The matrices of one instruction: A and C are stored by rows, B by columns. T: type in which the elements
/// of A and B are stored.
template <class T, int Depth>
struct Matrices {
  T a[kRows][Depth], b[kRows][Depth];
  std::uint64_t c[kRows][kColumns];
};

template <class T, int Depth, class Decode>
void collect(const Instruction& i, const LaneOperands& o, Matrices<T, Depth>& m, Decode decode) {
  const MatrixWords words = matrix_words(i);
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int n = 0; n < elements_of(words.a, i.source_type); ++n) {
      const MatrixPlace p = place_in_a(i, lane, n);
      m.a[8 * p.quad + p.row][p.column] = decode(element(o.src[0][0], lane, n, i.source_type), i.source_type);
    }
    for (int n = 0; n < elements_of(words.b, i.matrix.b_type); ++n) {
      const MatrixPlace p = place_in_b(i, lane, n);
      m.b[8 * p.quad + p.column][p.row] =
          decode(element(o.src[1][0], lane, n, i.matrix.b_type), i.matrix.b_type);
    }
    for (int n = 0; n < elements_of(words.c, i.matrix.c_type); ++n) {
      const MatrixPlace p = place_in_c(i, i.matrix.c_type, lane, n);
      m.c[8 * p.quad + p.row][p.column] = element(o.src[2][0], lane, n, i.matrix.c_type);
    }
  }
}

/// Computes each element of D as dot(row of a, column of b, c), and writes it to the lane that holds it.
template <class T, int Depth, class Dot>
void put_results(const Instruction& i, LaneOperands& o, const Matrices<T, Depth>& m, Dot dot) {
  const MatrixWords words = matrix_words(i);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int n = 0; n < elements_of(words.d, i.type); ++n) {
      const MatrixPlace p = place_in_c(i, i.type, lane, n);
      put_element(
          o.dst[0][0], lane, n, i.type,
          dot(m.a[8 * p.quad + p.row], m.b[8 * p.quad + p.column], m.c[8 * p.quad + p.row][p.column]));
    }
}

void multiply_floats(const Instruction& i, LaneOperands& o) {
  static constexpr MatrixRules kDefault{};
  const SumRule rule = sum_rule(o.matrix ? *o.matrix : kDefault, i.source_type, i.type);
  Matrices<MatrixTerm, 32> m;
  collect(i, o, m, [](std::uint64_t bits, DataType type) {
    return matrix_term(static_cast<std::uint32_t>(bits), type);
  });
  const int depth = i.matrix.depth;
  put_results(i, o, m, [&](const MatrixTerm* a, const MatrixTerm* b, std::uint64_t c) {
    MatrixTerm sum = matrix_term(static_cast<std::uint32_t>(c), i.matrix.c_type);
    std::uint32_t bits = 0;
    for (int k = 0; k < depth; k += rule.group) {
      bits = sum_of_group(a + k, b + k, std::min(rule.group, depth - k), sum, rule, i.type);
      sum = matrix_term(bits, i.type);
    }
    return bits;
  });
}

std::int64_t integer(std::uint64_t bits, DataType type) {
  const int spare = 64 - bits_of(type);
  return is_signed(type) ? static_cast<std::int64_t>(bits << spare) >> spare
                         : static_cast<std::int64_t>(bits);
}

std::uint64_t narrowed(std::int64_t sum, bool saturates) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
  return static_cast<std::uint32_t>(sum);
}

void multiply_integers(const Instruction& i, LaneOperands& o) {
  Matrices<std::int16_t, 64> m;
  collect(i, o, m,
          [](std::uint64_t bits, DataType type) { return static_cast<std::int16_t>(integer(bits, type)); });
  put_results(i, o, m, [&](const std::int16_t* a, const std::int16_t* b, std::uint64_t c) {
    std::int64_t sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(c));
    for (int k = 0; k < i.matrix.depth; ++k) sum += std::int64_t{a[k]} * b[k];
    return narrowed(sum, i.modifiers.satfinite);
  });
}

void multiply_bits(const Instruction& i, LaneOperands& o) {
  Matrices<std::uint8_t, 256> m;
  collect(i, o, m, [](std::uint64_t bits, DataType) { return static_cast<std::uint8_t>(bits); });
  const bool both = i.matrix.bits == BitProduct::and_;
  put_results(i, o, m, [&](const std::uint8_t* a, const std::uint8_t* b, std::uint64_t c) {
    std::int64_t sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(c));
    for (int k = 0; k < i.matrix.depth; ++k) sum += both ? a[k] & b[k] : a[k] ^ b[k];
    return narrowed(sum, false);
  });
}

void multiply_doubles(const Instruction& i, LaneOperands& o) {
  Matrices<double, 16> m;
  collect(i, o, m, [](std::uint64_t bits, DataType) { return std::bit_cast<double>(bits); });
  put_results(i, o, m, [&](const double* a, const double* b, std::uint64_t c) {
    double sum = std::bit_cast<double>(c);
    for (int k = 0; k < i.matrix.depth; ++k) sum = std::fma(a[k], b[k], sum);
    return std::isnan(sum) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(sum);
  });
}

bool is_sum_type(DataType type) { return type == DataType::f32 || type == DataType::f16; }

}  // namespace

LaneFunction find_matrix_product(const Instruction& i) {
  if (i.op != Opcode::mma || i.matrix.rows == 0) return nullptr;
  switch (i.source_type) {
    case DataType::f16:
    case DataType::bf16:
    case DataType::tf32:
    case DataType::e4m3:
    case DataType::e5m2:
      return is_sum_type(i.type) && is_sum_type(i.matrix.c_type) ? multiply_floats : nullptr;
    case DataType::s8:
    case DataType::u8:
    case DataType::s4:
    case DataType::u4:
      return i.type == DataType::s32 ? multiply_integers : nullptr;
    case DataType::b1:
      return i.matrix.bits == BitProduct::none ? nullptr : multiply_bits;
    case DataType::f64:
      return multiply_doubles;
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes
