// Matrix products of all shapes and types under all generations: the timed unit, the reference, and a
// computation from the definition (expected_tile.h) must agree bit for bit. Each form and generation is
// tested with 50 random tiles; with the argument --full, 1,000 tiles.

#include <gtest/gtest.h>

#include <algorithm>

#include "models/isa/lane_operands.h"
#include "models/isa/matrix_operands.h"
#include "models/reference/matrix_products.h"
#include "tests/tensor_rows/expected_tile.h"

namespace heddle::tensor_rows {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::MatrixGeneration;

Instruction form(int rows, int columns, int depth, DataType d, DataType a, DataType b, DataType c) {
  Instruction i;
  i.op = isa::Opcode::mma;
  i.type = d;
  i.source_type = a;
  i.matrix.rows = static_cast<std::uint8_t>(rows);
  i.matrix.columns = static_cast<std::uint8_t>(columns);
  i.matrix.depth = static_cast<std::uint16_t>(depth);
  i.matrix.b_type = b;
  i.matrix.c_type = c;
  return i;
}

std::vector<Instruction> all_forms() {
  using enum DataType;
  std::vector<Instruction> forms;
  for (const DataType d : {f16, f32})
    for (const DataType c : {f16, f32})
      for (const bool a : {false, true})
        for (const bool b : {false, true}) {
          forms.push_back(form(8, 8, 4, d, f16, f16, c));
          forms.back().matrix.a_by_columns = a;
          forms.back().matrix.b_by_rows = b;
        }
  for (const int depth : {8, 16}) {
    forms.push_back(form(16, 8, depth, f16, f16, f16, f16));
    forms.push_back(form(16, 8, depth, f32, f16, f16, f32));
    forms.push_back(form(16, 8, depth, f32, bf16, bf16, f32));
  }
  for (const int depth : {4, 8}) forms.push_back(form(16, 8, depth, f32, tf32, tf32, f32));
  for (const DataType d : {f16, f32})
    for (const DataType a : {e4m3, e5m2})
      for (const DataType b : {e4m3, e5m2}) forms.push_back(form(16, 8, 32, d, a, b, d));
  forms.push_back(form(8, 8, 4, f64, f64, f64, f64));
  const auto integers = [&forms](std::initializer_list<DataType> types, int least) {
    for (const bool saturates : {false, true})
      for (const DataType a : types)
        for (const DataType b : types)
          for (const auto& [rows, depth] : {std::pair{8, least}, {16, least}, {16, 2 * least}}) {
            forms.push_back(form(rows, 8, depth, s32, a, b, s32));
            forms.back().modifiers.satfinite = saturates;
          }
  };
  integers({u8, s8}, 16);
  integers({u4, s4}, 32);
  for (const auto bits : {isa::BitProduct::and_, isa::BitProduct::xor_})
    for (const auto& [rows, depth] : {std::pair{8, 128}, {16, 128}, {16, 256}}) {
      forms.push_back(form(rows, 8, depth, s32, b1, b1, s32));
      forms.back().matrix.bits = bits;
    }
  return forms;
}

bool is_full() {
  const std::vector<std::string> arguments = testing::internal::GetArgvs();
  return std::find(arguments.begin(), arguments.end(), "--full") != arguments.end();
}

struct Operands {
  std::vector<LaneVec> a, b, c, d;
  isa::LaneOperands view;
  Operands(const Instruction& i, const Tile& tile, const isa::MatrixRules& rules)
      : a(fragments(i, 'a', tile.a)),
        b(fragments(i, 'b', tile.b)),
        c(fragments(i, 'c', tile.c)),
        d(static_cast<std::size_t>(isa::matrix_words(i).d)) {
    view.src[0][0] = a.data();
    view.src[1][0] = b.data();
    view.src[2][0] = c.data();
    view.dst[0][0] = d.data();
    view.matrix = &rules;
  }
};

TEST(TensorRows, UnitAndReferenceComputeTheDefinition) {
  const int tiles = is_full() ? 1000 : 50;
  std::mt19937_64 random(20);
  for (Instruction i : all_forms()) {
    isa::classify(i);
    const isa::LaneFunction unit = isa::find_lane_function(i), reference = reference::matrix_function(i);
    ASSERT_TRUE(unit) << to_string(i);
    for (int g = 0; g <= static_cast<int>(MatrixGeneration::hopper); ++g) {
      isa::MatrixRules rules;
      rules.generation = static_cast<MatrixGeneration>(g);
      if (!isa::matrix_refusal(i, rules.generation).empty()) continue;
      for (int t = 0; t < tiles; ++t) {
        const Tile tile = random_tile(i, random, t % 2 != 0);
        const std::vector<LaneVec> right = fragments(i, 'd', expected(i, tile, rules.generation));
        Operands by_unit(i, tile, rules), by_reference(i, tile, rules);
        unit(i, by_unit.view);
        reference(i, by_reference.view);
        ASSERT_EQ(by_unit.d.size(), right.size());
        for (std::size_t w = 0; w < right.size(); ++w)
          for (int lane = 0; lane < kLanes; ++lane) {
            ASSERT_EQ(by_unit.d[w][lane], right[w][lane])
                << "unit, " << to_string(i) << ", " << name_of(rules.generation) << ", tile " << t
                << ", word " << w << ", lane " << lane;
            ASSERT_EQ(by_reference.d[w][lane], right[w][lane])
                << "reference, " << to_string(i) << ", " << name_of(rules.generation) << ", tile " << t
                << ", word " << w << ", lane " << lane;
          }
      }
      if (!isa::is_float(i.source_type) || i.source_type == DataType::f64) break;
    }
  }
}

TEST(TensorRows, SpecialNumbersAndChoicesAgree) {
  std::mt19937_64 random(21);
  for (Instruction i : all_forms()) {
    if (!isa::is_float(i.source_type)) continue;
    isa::classify(i);
    const isa::LaneFunction unit = isa::find_lane_function(i), reference = reference::matrix_function(i);
    for (int choice = 0; choice < 60; ++choice) {
      isa::MatrixRules rules;
      rules.generation = static_cast<MatrixGeneration>(choice % 5);
      rules.floor = static_cast<isa::ExponentFloor>(choice % 3);
      rules.overflow = static_cast<isa::MatrixOverflow>(choice / 15 % 2);
      rules.zero = static_cast<isa::ZeroSign>(choice / 30 % 2);
      if (!isa::matrix_refusal(i, rules.generation).empty()) continue;
      Tile tile = random_tile(i, random, true);
      // Some elements become any bit pattern, infinities and NaN among them, or a zero of any sign.
      const auto spoil = [&](std::vector<std::uint64_t>& matrix, DataType type) {
        const std::uint64_t all =
            isa::bits_of(type) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << isa::bits_of(type)) - 1;
        for (std::uint64_t& bits : matrix)
          if (random() % 8 == 0)
            bits = random() % 3 == 0 ? all & (random() % 2 ? 0 : ~(all >> 1)) : random() & all;
      };
      spoil(tile.a, i.source_type);
      spoil(tile.b, i.matrix.b_type);
      spoil(tile.c, i.matrix.c_type);
      Operands by_unit(i, tile, rules), by_reference(i, tile, rules);
      unit(i, by_unit.view);
      reference(i, by_reference.view);
      for (std::size_t w = 0; w < by_unit.d.size(); ++w)
        ASSERT_EQ(by_unit.d[w], by_reference.d[w]) << to_string(i) << ", choice " << choice << ", word " << w;
    }
  }
}

TEST(TensorRows, WorkedExamples) {
  using enum DataType;
  const Instruction i = form(16, 8, 16, f32, f16, f16, f32);
  struct Example {
    std::uint32_t c;
    std::vector<std::array<std::uint32_t, 2>> products;
    std::array<std::uint32_t, 3> results;  // Volta, Ampere, Hopper
  };
  const auto power = [](int e) { return static_cast<std::uint32_t>((e + 15) << 10); };
  const auto times = [](std::size_t n, std::uint32_t a, std::uint32_t b) {
    return std::vector(n, std::array{a, b});
  };
  std::vector<std::array<std::uint32_t, 2>> apart = times(9, 0, 0);
  apart[0] = {power(12), power(12)};
  apart[4] = {power(0), power(0)};
  apart[8] = {power(12) | 0x8000, power(12)};
  const Example examples[] = {
      {0x3f800000, times(2, power(-12), power(-12)), {0x3f800000, 0x3f800001, 0x3f800001}},
      {0x3f800000, times(4, power(-12), power(-13)), {0x3f800000, 0x3f800000, 0x3f800001}},
      {0x3f800000, times(3, power(-12), power(-12)), {0x3f800000, 0x3f800001, 0x3f800001}},
      {0xbf800000, times(1, power(-12), power(-12)), {0xbf800000, 0xbf7fffff, 0xbf7fffff}},
      {0, apart, {0, 0, 0x3f800000}},
      {0x3f800000, times(16, power(-12), power(-13)), {0x3f800000, 0x3f800000, 0x3f800004}},
  };
  constexpr MatrixGeneration generations[] = {MatrixGeneration::volta, MatrixGeneration::ampere,
                                              MatrixGeneration::hopper};
  for (const Example& e : examples) {
    Tile tile{std::vector<std::uint64_t>(16 * 16), std::vector<std::uint64_t>(16 * 8),
              std::vector<std::uint64_t>(16 * 8)};
    tile.c[0] = e.c;
    for (std::size_t k = 0; k < e.products.size(); ++k) {
      tile.a[k] = e.products[k][0];
      tile.b[8 * k] = e.products[k][1];
    }
    for (std::size_t g = 0; g < 3; ++g) {
      isa::MatrixRules rules;
      rules.generation = generations[g];
      Operands by_unit(i, tile, rules), by_reference(i, tile, rules);
      isa::find_lane_function(i)(i, by_unit.view);
      reference::matrix_function(i)(i, by_reference.view);
      EXPECT_EQ(by_unit.d[0][0], e.results[g]) << name_of(rules.generation);
      EXPECT_EQ(by_reference.d[0][0], e.results[g]) << name_of(rules.generation);
      EXPECT_EQ(expected(i, tile, rules.generation)[0], e.results[g]) << name_of(rules.generation);
    }
  }
}

}  // namespace
}  // namespace heddle::tensor_rows
