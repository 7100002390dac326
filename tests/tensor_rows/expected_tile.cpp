#include "tests/tensor_rows/expected_tile.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace heddle::tensor_rows {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::MatrixGeneration;
__extension__ typedef __int128 Wide;

bool by_quads(const Instruction& f) {
  return f.matrix.rows == 8 && f.matrix.depth == 4 && f.source_type == DataType::f16;
}
int quads(const Instruction& f) { return by_quads(f) ? 4 : 1; }

struct Layout {
  int exponent, fraction;
};
Layout layout(DataType t) {
  switch (t) {
    case DataType::f16:
      return {5, 10};
    case DataType::bf16:
      return {8, 7};
    case DataType::e4m3:
      return {4, 3};
    case DataType::e5m2:
      return {5, 2};
    case DataType::f64:
      return {11, 52};
    default:
      return {8, 23};
  }
}
bool floats(DataType t) { return isa::is_float(t); }

std::uint64_t random_bits(DataType type, std::mt19937_64& random, bool adversarial) {
  if (!floats(type)) return random() & ((std::uint64_t{1} << isa::bits_of(type)) - 1);
  const Layout l = layout(type);
  const int bias = (1 << (l.exponent - 1)) - 1, most = (1 << l.exponent) - 2;
  // Ordinary numbers lie around 1. Adversarial numbers have any finite exponent, often the same exponent as
  // other numbers.
  int exponent = bias - 3 + static_cast<int>(random() % 6);
  if (adversarial) {
    const std::uint64_t kind = random() % 8;
    exponent = kind == 0   ? 0
               : kind == 1 ? most
               : kind < 5  ? bias
                           : static_cast<int>(random() % static_cast<unsigned>(most));
    // With random exponents, most products of bf16, tf32 and f32 would overflow. Therefore half of their
    // elements are between 2^-30 and 2^30.
    if (l.exponent == 8 && random() % 2 != 0) exponent = bias - 30 + static_cast<int>(random() % 60);
  }
  std::uint64_t fraction = random() & ((std::uint64_t{1} << l.fraction) - 1);
  if (adversarial && random() % 3 == 0)
    fraction = random() % 2 != 0 ? 0 : (std::uint64_t{1} << l.fraction) - 1;
  const std::uint64_t sign = random() % 2;
  return sign << (l.exponent + l.fraction) | static_cast<std::uint64_t>(exponent) << l.fraction | fraction;
}

// A number: significand x 2^unit. `lead` is the exponent of the highest digit of the significand.
struct Parts {
  Wide significand;
  int unit, lead;
};
Parts parts(std::uint64_t bits, DataType type) {
  const Layout l = layout(type);
  if (type == DataType::tf32) bits &= ~std::uint64_t{0x1fff};
  const auto field = static_cast<int>(bits >> l.fraction & ((1u << l.exponent) - 1));
  Wide significand = static_cast<Wide>(bits & ((std::uint64_t{1} << l.fraction) - 1));
  const int bias = (1 << (l.exponent - 1)) - 1, lead = field == 0 ? 1 - bias : field - bias;
  if (field != 0) significand += static_cast<Wide>(1) << l.fraction;
  if (bits >> (l.exponent + l.fraction) & 1) significand = -significand;
  return {significand, lead - l.fraction, lead};
}

struct Rule {
  int group, fraction;
};
Rule rule_of(MatrixGeneration g, DataType type) {
  if (type == DataType::e4m3 || type == DataType::e5m2) return {g == MatrixGeneration::hopper ? 32 : 16, 13};
  Rule r{8, 24};
  if (g == MatrixGeneration::volta) r = {4, 23};
  if (g == MatrixGeneration::hopper) r = {16, 25};
  if (type == DataType::tf32) r.group /= 2;
  return r;
}

Wide magnitude(Wide v) { return v < 0 ? -v : v; }

int bit_length(Wide v) {
  int n = 0;
  for (v = magnitude(v); v != 0; v >>= 1) ++n;
  return n;
}

std::uint32_t in_format(Wide sum, int unit, DataType result, int kept, bool nearest) {
  const Layout l = layout(result);
  const int bias = (1 << (l.exponent - 1)) - 1;
  const std::uint32_t sign = sum < 0 ? 1u << (l.exponent + l.fraction) : 0u;
  Wide size = magnitude(sum);
  if (size == 0) return 0;
  int last = std::max(bit_length(size) - 1 + unit - kept, 1 - bias - l.fraction);
  while (unit < last) {
    // Drop all bits below the exponent `last` in one step, so that the rounding takes every dropped bit into
    // account.
    const int drop = last - unit;
    if (drop > 120) return sign;
    const Wide rest = size & ((static_cast<Wide>(1) << drop) - 1), half = static_cast<Wide>(1) << (drop - 1);
    size >>= drop;
    unit = last;
    if (nearest && (rest > half || (rest == half && size % 2 != 0))) ++size;
  }
  if (size == 0) return sign;
  int lead = bit_length(size) - 1 + unit;
  if (lead > bias) return sign | ((1u << l.exponent) - 1) << l.fraction;
  const int place = std::max(lead, 1 - bias) - l.fraction;
  size = unit >= place ? size << (unit - place) : size >> (place - unit);
  const std::uint32_t field = lead < 1 - bias ? 0u : static_cast<std::uint32_t>(lead + bias);
  return sign | field << l.fraction | (static_cast<std::uint32_t>(size) & ((1u << l.fraction) - 1));
}

bool is_infinite(std::uint64_t bits, DataType type) {
  const Layout l = layout(type);
  return type != DataType::e4m3 && (bits >> l.fraction & ((1u << l.exponent) - 1)) == (1u << l.exponent) - 1;
}

std::uint64_t dot_of_floats(const Instruction& f, const std::uint64_t* a, const std::uint64_t* b,
                            std::uint64_t c, MatrixGeneration generation) {
  const Rule rule = rule_of(generation, f.source_type);
  DataType c_type = f.matrix.c_type;
  for (int k = 0; k < f.matrix.depth; k += rule.group) {
    // A sum that has overflowed stays infinite, since all elements are finite.
    if (is_infinite(c, c_type)) {
      const std::uint64_t negative = c >> (isa::bits_of(c_type) - 1) & 1;
      c = f.type == DataType::f16 ? negative << 15 | 0x7c00 : negative << 31 | 0x7f800000;
      c_type = f.type;
      continue;
    }
    std::vector<Parts> terms;
    if (const Parts p = parts(c, c_type); p.significand != 0) terms.push_back(p);
    for (int n = k; n < std::min<int>(k + rule.group, f.matrix.depth); ++n) {
      const Parts x = parts(a[n], f.source_type), y = parts(b[n], f.matrix.b_type);
      if (x.significand != 0 && y.significand != 0)
        terms.push_back({x.significand * y.significand, x.unit + y.unit, x.lead + y.lead});
    }
    int lead = -1'000'000;
    for (const Parts& t : terms) lead = std::max(lead, t.lead);
    Wide sum = 0;
    for (const Parts& t : terms) {
      const int shift = t.unit - (lead - rule.fraction);
      const Wide size = shift >= 0     ? magnitude(t.significand) << shift
                        : shift > -126 ? magnitude(t.significand) >> -shift
                                       : static_cast<Wide>(0);
      sum += t.significand < 0 ? -size : size;
    }
    const bool narrow = rule.fraction == 13, half = f.type == DataType::f16;
    c = terms.empty() ? 0 : in_format(sum, lead - rule.fraction, f.type, half ? 10 : narrow ? 13 : 23, half);
    c_type = f.type;
  }
  return c;
}

std::int64_t integer(std::uint64_t bits, DataType type) {
  const int width = isa::bits_of(type);
  const bool negative =
      (type == DataType::s8 || type == DataType::s4 || type == DataType::s32) && (bits >> (width - 1) & 1);
  return static_cast<std::int64_t>(bits) - (negative ? std::int64_t{1} << width : 0);
}

std::uint64_t dot(const Instruction& f, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c,
                  MatrixGeneration generation) {
  if (f.source_type == DataType::f64) {
    double sum = std::bit_cast<double>(c);
    for (int k = 0; k < f.matrix.depth; ++k)
      sum = std::fma(std::bit_cast<double>(a[k]), std::bit_cast<double>(b[k]), sum);
    return std::isnan(sum) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(sum);
  }
  if (floats(f.source_type)) return dot_of_floats(f, a, b, c, generation);
  std::int64_t sum = integer(c, DataType::s32);
  for (int k = 0; k < f.matrix.depth; ++k)
    sum += f.matrix.bits == isa::BitProduct::and_ ? static_cast<std::int64_t>(a[k] & b[k])
           : f.matrix.bits == isa::BitProduct::xor_
               ? static_cast<std::int64_t>(a[k] ^ b[k])
               : integer(a[k], f.source_type) * integer(b[k], f.matrix.b_type);
  if (f.modifiers.satfinite) sum = std::min<std::int64_t>(std::max<std::int64_t>(sum, INT32_MIN), INT32_MAX);
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

Tile random_tile(const Instruction& f, std::mt19937_64& random, bool adversarial) {
  Tile tile;
  const auto fill = [&](std::vector<std::uint64_t>& matrix, int count, DataType type) {
    for (int n = 0; n < quads(f) * count; ++n) matrix.push_back(random_bits(type, random, adversarial));
  };
  fill(tile.a, f.matrix.rows * f.matrix.depth, f.source_type);
  fill(tile.b, f.matrix.depth * f.matrix.columns, f.matrix.b_type);
  fill(tile.c, f.matrix.rows * f.matrix.columns, f.matrix.c_type);
  if (!adversarial || !floats(f.source_type)) return tile;
  // In half of the tiles, element k + 1 of each row of A is the negative of element k, so that products
  // partly cancel each other.
  if (random() % 2 == 0)
    for (int row = 0; row < quads(f) * f.matrix.rows; ++row)
      for (int k = 0; k + 1 < f.matrix.depth; k += 2) {
        std::uint64_t& next = tile.a[static_cast<std::size_t>(row * f.matrix.depth + k + 1)];
        next = tile.a[static_cast<std::size_t>(row * f.matrix.depth + k)] ^
               std::uint64_t{1} << (isa::bits_of(f.source_type) - 1);
      }
  return tile;
}

std::vector<std::uint64_t> expected(const Instruction& f, const Tile& tile, MatrixGeneration generation) {
  std::vector<std::uint64_t> d;
  const int rows = f.matrix.rows, columns = f.matrix.columns, depth = f.matrix.depth;
  for (int quad = 0; quad < quads(f); ++quad)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        std::vector<std::uint64_t> b;
        for (int k = 0; k < depth; ++k)
          b.push_back(tile.b[static_cast<std::size_t>((quad * depth + k) * columns + column)]);
        d.push_back(dot(f, &tile.a[static_cast<std::size_t>((quad * rows + row) * depth)], b.data(),
                        tile.c[static_cast<std::size_t>((quad * rows + row) * columns + column)],
                        generation));
      }
  return d;
}

std::vector<LaneVec> fragments(const Instruction& f, char operand, const std::vector<std::uint64_t>& matrix) {
  const DataType type = operand == 'a'   ? f.source_type
                        : operand == 'b' ? f.matrix.b_type
                        : operand == 'c' ? f.matrix.c_type
                                         : f.type;
  const int bits = isa::bits_of(type), rows = operand == 'b' ? f.matrix.depth : f.matrix.rows,
            columns = operand == 'a' ? f.matrix.depth : f.matrix.columns;
  std::vector<LaneVec> words(matrix.size() * static_cast<std::size_t>(bits) / 1024);
  for (LaneVec& word : words) word.fill(0);
  for (int quad = 0; quad < quads(f); ++quad)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        int lane = 0, bit = 0;  // lane, and position of the element's lowest bit in the lane's registers
        if (by_quads(f)) {
          // A `line` is a row of A, or a column of B (8 lines of 4 elements). One lane holds a whole line. In
          // transposed layouts, a lane holds one element of each line.
          const bool side = operand == 'b';
          const int line = side ? column : row, along = side ? row : column;
          if (operand == 'a' || operand == 'b') {
            const bool across = side ? f.matrix.b_by_rows : f.matrix.a_by_columns;
            lane = 4 * quad + line / 4 * 16 + (across ? along : line % 4);
            bit = 16 * (across ? line % 4 : along);
          } else if (type == DataType::f16) {
            lane = 4 * quad + row / 4 * 16 + row % 4;
            bit = 16 * column;
          } else {
            lane = 4 * quad + row / 4 * 16 + row % 2 + column / 2 % 2 * 2;
            bit = 32 * (column / 4 * 4 + row / 2 % 2 * 2 + column % 2);
          }
        } else if (operand == 'a') {
          const int position = column * bits, word = position / 32;
          lane = row % 8 * 4 + (bits == 64 ? column : word % 4);
          const int block = bits == 64 ? column / 4 : word / 4;
          bit = bits == 64 ? 64 * (block * (rows / 8) + row / 8)
                           : 32 * (block * (rows / 8) + row / 8) + position % 32;
        } else if (operand == 'b') {
          const int position = row * bits, word = position / 32;
          lane = column * 4 + (bits == 64 ? row : word % 4);
          bit = bits == 64 ? 0 : 32 * (word / 4) + position % 32;
        } else {
          lane = row % 8 * 4 + column / 2;
          bit = bits * (row / 8 * 2 + column % 2);
        }
        const std::uint64_t value = matrix[static_cast<std::size_t>((quad * rows + row) * columns + column)];
        words[static_cast<std::size_t>(bit / 32)].lane[lane] |= static_cast<std::uint32_t>(value << bit % 32);
        if (bits == 64)
          words[static_cast<std::size_t>(bit / 32 + 1)].lane[lane] = static_cast<std::uint32_t>(value >> 32);
      }
  return words;
}

}  // namespace heddle::tensor_rows
