// Computes matrix products with doubles. A double holds exactly: every product of two elements, every
// accumulator, and the sum of the products that are added before one rounding. The sum fits, because all
// terms are multiples of one power of two, and the sum has only a few bits more than one term.

#include "models/reference/matrix_products.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "models/core/error.h"
#include "models/isa/matrix_operands.h"

namespace heddle::reference {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::LaneOperands;
using isa::MatrixGeneration;

// Elements of a matrix in the registers of the instruction's lanes. Functions such as slot_in_a() compute the
// lane and the index of an element from its row and column (PTX ISA 9.0, 9.7.14).
class Fragment {
 public:
  Fragment(LaneVec* words, DataType type) : words_(words), bits_(isa::bits_of(type)) {}

  std::uint64_t get(int lane, int index) const {
    if (bits_ == 64)
      return words_[2 * index].lane[lane] + (std::uint64_t{words_[2 * index + 1].lane[lane]} << 32);
    const int first = index * bits_;
    return std::uint64_t{words_[first / 32].lane[lane]} >> first % 32 & ((std::uint64_t{1} << bits_) - 1);
  }
  void set(int lane, int index, std::uint64_t value) {
    if (bits_ == 64) {
      words_[2 * index].lane[lane] = static_cast<std::uint32_t>(value);
      words_[2 * index + 1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
      return;
    }
    const int first = index * bits_;
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits_) - 1) << first % 32;
    std::uint32_t& word = words_[first / 32].lane[lane];
    word = (word & ~mask) | (static_cast<std::uint32_t>(value) << first % 32 & mask);
  }
  int per_word() const { return bits_ >= 32 ? 1 : 32 / bits_; }

 private:
  LaneVec* words_;
  int bits_;
};

struct Slot {
  int lane, index;
};

// Returns the lane that holds row (or column) `line` of the 8 x 8 x 4 product of quad pair `quad`.
int quad_lane(int quad, int line) { return 4 * quad + line % 4 + (line >= 4 ? 16 : 0); }

Slot slot_in_a(const Instruction& i, const Fragment& a, int quad, int row, int k) {
  if (isa::multiplies_by_quad_pairs(i)) {
    if (!i.matrix.a_by_columns) return {quad_lane(quad, row), k};
    return {4 * quad + k + (row >= 4 ? 16 : 0), row % 4};
  }
  const int each = a.per_word(), column = k / each, lower = i.matrix.rows == 16 ? row / 8 : 0;
  const int word = column / 4 * (i.matrix.rows / 8) + lower;
  return {row % 8 * 4 + column % 4, word * each + k % each};
}

Slot slot_in_b(const Instruction& i, const Fragment& b, int quad, int k, int column) {
  if (isa::multiplies_by_quad_pairs(i)) {
    if (!i.matrix.b_by_rows) return {quad_lane(quad, column), k};
    return {4 * quad + k + (column >= 4 ? 16 : 0), column % 4};
  }
  const int each = b.per_word(), line = k / each;
  return {column * 4 + line % 4, line / 4 * each + k % each};
}

Slot slot_in_c(const Instruction& i, DataType type, int quad, int row, int column) {
  if (!isa::multiplies_by_quad_pairs(i)) return {row % 8 * 4 + column / 2, row / 8 * 2 + column % 2};
  if (type == DataType::f16) return {quad_lane(quad, row), column};
  const int lane = 4 * quad + row % 2 + (column & 2) + (row >= 4 ? 16 : 0);
  return {lane, (row & 2) + (column & 4) + column % 2};
}

// Value and exponent of a floating-point number. A subnormal number gets the smallest exponent of normal
// numbers.
struct Number {
  double value = 0;
  int exponent = 0;
};

struct FloatFormat {
  int fraction, least, bits;
};

FloatFormat format_of(DataType type) {
  switch (type) {
    case DataType::f16:
      return {10, -14, 16};
    case DataType::bf16:
      return {7, -126, 16};
    case DataType::e4m3:
      return {3, -6, 8};
    case DataType::e5m2:
      return {2, -14, 8};
    default:
      return {23, -126, 32};
  }
}

Number number(std::uint64_t bits, DataType type) {
  const FloatFormat f = format_of(type);
  if (type == DataType::tf32) bits = bits >> 13 << 13;
  const bool negative = bits >> (f.bits - 1) & 1;
  const auto low = static_cast<int>(bits & ((1u << f.fraction) - 1));
  const int field = static_cast<int>(bits >> f.fraction & ((1u << (f.bits - 1 - f.fraction)) - 1));
  const int most = (1 << (f.bits - 1 - f.fraction)) - 1;
  Number n;
  n.exponent = field == 0 ? f.least : f.least + field - 1;
  if (type == DataType::e4m3 ? field == most && low == 7 : field == most && low != 0)
    n.value = std::numeric_limits<double>::quiet_NaN();
  else if (type != DataType::e4m3 && field == most)
    n.value = std::numeric_limits<double>::infinity();
  else
    n.value = std::ldexp(field == 0 ? low : low + (1 << f.fraction), n.exponent - f.fraction);
  if (negative) n.value = -n.value;
  return n;
}

// Rules by which a GPU generation adds the products of one instruction.
struct Sum {
  int group, fraction, kept;
  int floor = -100'000;
  bool half;
  const isa::MatrixRules& rules;

  Sum(const isa::MatrixRules& r, DataType type, DataType result) : half(result == DataType::f16), rules(r) {
    const bool hopper = r.generation == MatrixGeneration::hopper,
               volta = r.generation == MatrixGeneration::volta;
    group = hopper ? 16 : volta ? 4 : 8;
    fraction = hopper ? 25 : volta ? 23 : 24;
    kept = 23;
    if (type == DataType::tf32) group = hopper ? 8 : volta ? 2 : 4;
    if (isa::bits_of(type) == 8) {
      group = hopper ? 32 : 16;
      fraction = kept = 13;
    }
    if (r.floor == isa::ExponentFloor::xie) floor = -126;
    if (r.floor == isa::ExponentFloor::khattak) floor = half ? (hopper ? -21 : -20) : (hopper ? -133 : -132);
  }

  std::uint32_t rounded(double sum, bool negative_zero) const {
    if (std::isnan(sum)) return half ? 0x7fff : 0x7fffffff;
    if (sum == 0) return negative_zero ? (half ? 0x8000u : 0x80000000u) : 0u;
    return half ? to_half(sum) : to_single(sum);
  }

 private:
  static std::uint32_t to_half(double sum) {
    const std::uint32_t sign = sum < 0 ? 0x8000u : 0u;
    const double size = std::fabs(sum);
    if (std::isinf(size)) return sign | 0x7c00u;
    const double unit = std::ldexp(1.0, std::max(std::ilogb(size), -14) - 10);
    const double near = std::nearbyint(size / unit) * unit;
    if (near >= 65536.0) return sign | 0x7c00u;
    if (near < std::ldexp(1.0, -14)) return sign | static_cast<std::uint32_t>(std::ldexp(near, 24));
    const int exponent = std::ilogb(near);
    return sign | static_cast<std::uint32_t>(exponent + 15) << 10 |
           (static_cast<std::uint32_t>(std::ldexp(near, 10 - exponent)) & 0x3ffu);
  }
  std::uint32_t to_single(double sum) const {
    double size = std::fabs(sum);
    if (!std::isinf(size) && kept < 23) {
      const double unit = std::ldexp(1.0, std::ilogb(size) - kept);
      size = std::trunc(size / unit) * unit;
    }
    const bool too_large = size >= std::ldexp(1.0, 128);
    auto single = static_cast<float>(too_large ? 0.0 : size);
    if (single > size) single = std::nextafterf(single, 0.0F);
    if (too_large)
      single = rules.overflow == isa::MatrixOverflow::largest && !std::isinf(size)
                   ? std::numeric_limits<float>::max()
                   : std::numeric_limits<float>::infinity();
    return std::bit_cast<std::uint32_t>(single) | (sum < 0 ? 0x80000000u : 0u);
  }
};

// Adds the products of a group of elements to c, and returns the bits of the rounded sum. `a` and `b` hold at
// least `count` numbers.
std::uint32_t add_group(const Number* a, const Number* b, int count, const Number& c, const Sum& sum) {
  double exact = c.value;
  int most = sum.floor;
  bool special = !std::isfinite(c.value), all_negative = std::signbit(c.value);
  if (c.value != 0) most = std::max(most, c.exponent);
  for (int k = 0; k < count; ++k) {
    const double product = a[k].value * b[k].value;
    special = special || !std::isfinite(product);
    all_negative = all_negative && std::signbit(product);
    if (product != 0) most = std::max(most, a[k].exponent + b[k].exponent);
    exact += product;
  }
  if (special) return sum.rounded(exact, false);
  const double unit = std::ldexp(1.0, most - sum.fraction);
  const auto term = [unit](double value) { return value == 0 ? 0.0 : std::trunc(value / unit); };
  double total = term(c.value);
  for (int k = 0; k < count; ++k) total += term(a[k].value * b[k].value);
  return sum.rounded(total * unit, all_negative && sum.rules.zero == isa::ZeroSign::ieee);
}

// The operands of one instruction. Results have separate storage, because D and C may share registers.
struct Operands {
  Fragment a, b, c;
  LaneVec results[8];
  Fragment d;
  int words;
  explicit Operands(const Instruction& i, const LaneOperands& o)
      : a(const_cast<LaneVec*>(o.src[0][0]), i.source_type),
        b(const_cast<LaneVec*>(o.src[1][0]), i.matrix.b_type),
        c(const_cast<LaneVec*>(o.src[2][0]), i.matrix.c_type),
        d(results, i.type),
        words(isa::matrix_words(i).d) {}
  void finish(LaneOperands& o) const {
    for (int w = 0; w < words; ++w) o.dst[0][0][w] = results[w];
  }
};

// Calls f(quad, row, column) for each element of D. `quad`: number of the quad pair (8 lanes that multiply
// their own matrices), from 0; always 0 for shapes without quad pairs.
template <class F>
void for_each_result(const Instruction& i, F&& f) {
  for (int quad = 0; quad < (isa::multiplies_by_quad_pairs(i) ? 4 : 1); ++quad)
    for (int row = 0; row < i.matrix.rows; ++row)
      for (int column = 0; column < i.matrix.columns; ++column) f(quad, row, column);
}

void multiply_floats(const Instruction& i, LaneOperands& o) {
  static const isa::MatrixRules kDefault;
  const Sum sum(o.matrix ? *o.matrix : kDefault, i.source_type, i.type);
  Operands x(i, o);
  const int depth = i.matrix.depth;
  std::vector<Number> rows, columns;
  const int quads = isa::multiplies_by_quad_pairs(i) ? 4 : 1;
  for (int quad = 0; quad < quads; ++quad) {
    for (int row = 0; row < i.matrix.rows; ++row)
      for (int k = 0; k < depth; ++k) {
        const Slot s = slot_in_a(i, x.a, quad, row, k);
        rows.push_back(number(x.a.get(s.lane, s.index), i.source_type));
      }
    for (int column = 0; column < i.matrix.columns; ++column)
      for (int k = 0; k < depth; ++k) {
        const Slot s = slot_in_b(i, x.b, quad, k, column);
        columns.push_back(number(x.b.get(s.lane, s.index), i.matrix.b_type));
      }
  }
  for_each_result(i, [&](int quad, int row, int column) {
    const Slot from = slot_in_c(i, i.matrix.c_type, quad, row, column);
    const Slot to = slot_in_c(i, i.type, quad, row, column);
    Number c = number(x.c.get(from.lane, from.index), i.matrix.c_type);
    std::uint32_t bits = 0;
    for (int k = 0; k < depth; k += sum.group) {
      bits = add_group(&rows[static_cast<std::size_t>((quad * i.matrix.rows + row) * depth + k)],
                       &columns[static_cast<std::size_t>((quad * i.matrix.columns + column) * depth + k)],
                       std::min(sum.group, depth - k), c, sum);
      c = number(bits, i.type);
    }
    x.d.set(to.lane, to.index, bits);
  });
  x.finish(o);
}

// Computes each element of D as f(a, b, c). `a(k)`, `b(k)`: element k of the row of A and of the column of B
// that belong to this element of D. `c`: the element of C at the same position.
template <class F>
void multiply_exactly(const Instruction& i, LaneOperands& o, F&& f) {
  Operands x(i, o);
  for_each_result(i, [&](int quad, int row, int column) {
    const Slot at = slot_in_c(i, i.type, quad, row, column);
    const auto a = [&](int k) {
      const Slot s = slot_in_a(i, x.a, quad, row, k);
      return x.a.get(s.lane, s.index);
    };
    const auto b = [&](int k) {
      const Slot s = slot_in_b(i, x.b, quad, k, column);
      return x.b.get(s.lane, s.index);
    };
    x.d.set(at.lane, at.index, f(a, b, x.c.get(at.lane, at.index)));
  });
  x.finish(o);
}

std::int64_t whole(std::uint64_t bits, DataType type) {
  const auto value = static_cast<std::int64_t>(bits);
  const std::int64_t range = std::int64_t{1} << isa::bits_of(type);
  return isa::is_signed(type) && value >= range / 2 ? value - range : value;
}

void multiply_integers(const Instruction& i, LaneOperands& o) {
  multiply_exactly(i, o, [&](auto a, auto b, std::uint64_t c) -> std::uint64_t {
    std::int64_t sum = whole(c, DataType::s32);
    for (int k = 0; k < i.matrix.depth; ++k) sum += whole(a(k), i.source_type) * whole(b(k), i.matrix.b_type);
    if (i.modifiers.satfinite && sum > 0x7fffffff) sum = 0x7fffffff;
    if (i.modifiers.satfinite && sum < -0x7fffffff - 1) sum = -0x7fffffff - 1;
    return static_cast<std::uint64_t>(sum) & 0xffffffffu;
  });
}

void multiply_bits(const Instruction& i, LaneOperands& o) {
  const bool both = i.matrix.bits == isa::BitProduct::and_;
  multiply_exactly(i, o, [&](auto a, auto b, std::uint64_t c) -> std::uint64_t {
    std::uint64_t sum = c;
    for (int k = 0; k < i.matrix.depth; ++k) sum += both ? (a(k) == 1 && b(k) == 1) : a(k) != b(k);
    return sum & 0xffffffffu;
  });
}

void multiply_doubles(const Instruction& i, LaneOperands& o) {
  multiply_exactly(i, o, [&](auto a, auto b, std::uint64_t c) {
    double sum = std::bit_cast<double>(c);
    for (int k = 0; k < i.matrix.depth; ++k)
      sum = std::fma(std::bit_cast<double>(a(k)), std::bit_cast<double>(b(k)), sum);
    return std::isnan(sum) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(sum);
  });
}

/// Executes movmatrix. Each lane receives two elements of its row of the transposed matrix. The elements come
/// from two lanes that hold rows of the source matrix.
void transpose(const Instruction&, LaneOperands& o) {
  if (!o.dst[0][0]) return;
  const LaneVec& from = *o.src[0][0];
  for (int lane = 0; lane < kLanes; ++lane) {
    const int column = lane / 4, row = 2 * (lane % 4);
    const auto element = [&](int of_row) {
      return from[4 * of_row + column / 2] >> 16 * (column % 2) & 0xffffu;
    };
    (*o.dst[0][0])[lane] = element(row) | element(row + 1) << 16;
  }
}

}  // namespace

isa::LaneFunction matrix_function(const Instruction& i) {
  if (i.op == isa::Opcode::movmatrix) return transpose;
  switch (i.source_type) {
    case DataType::f64:
      return multiply_doubles;
    case DataType::b1:
      return multiply_bits;
    case DataType::s8:
    case DataType::u8:
    case DataType::s4:
    case DataType::u4:
      return multiply_integers;
    case DataType::f16:
    case DataType::bf16:
    case DataType::tf32:
    case DataType::e4m3:
    case DataType::e5m2:
      return multiply_floats;
    default:
      throw InternalError("no matrix product of " + std::string(isa::name_of(i.source_type)));
  }
}

}  // namespace heddle::reference
