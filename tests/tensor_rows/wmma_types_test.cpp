// Tests wmma of every type, shape and layout: a product that is computed by fragments must equal the product
// by the definition. f16 is tested in matrix_programs_test.cpp.

#include <bit>
#include <cmath>

#include "tests/tensor_rows/matrix_fixture.h"

namespace heddle::tensor_rows {
namespace {

// Registers of fragments: r (32 bits), f (f32), d (f64).
struct WmmaType {
  const char *name, *of_c;
  int bits;           ///< number of bits of an element of A and B
  char a_bank, bank;  ///< kind of registers of A and B, and of C
  const char* operation = "";
};
struct WmmaCase {
  WmmaType type;
  int m, n, k;
};

constexpr std::size_t kAtB = 4096, kAtIntegers = 8192, kAtZeros = 24576, kAtD = 16384;

class WmmaTypes : public Matrices, public testing::WithParamInterface<std::tuple<WmmaCase, int>> {};

double element(const WmmaType& type, const std::vector<std::uint8_t>& data, std::size_t base,
               std::size_t index) {
  const std::string name = type.name;
  std::uint64_t word = 0;
  const std::size_t bit = index * static_cast<std::size_t>(type.bits);
  std::memcpy(&word, &data[base + bit / 8], static_cast<std::size_t>(std::max(type.bits / 8, 1)));
  if (name == "f64") return std::bit_cast<double>(word);
  const auto low = static_cast<std::uint32_t>(word);
  if (name == "tf32") return std::bit_cast<float>(low & ~0x1fffu);
  if (name == "bf16") return std::bit_cast<float>(low << 16);
  const std::uint32_t value = low >> bit % 8 & ((1u << type.bits) - 1);
  const bool negative = name[0] == 's' && value >> (type.bits - 1);
  return static_cast<double>(value) - (negative ? 1 << type.bits : 0);
}

std::string registers(char bank, int first, int words) {
  std::string text = "{";
  for (int i = 0; i < words; ++i) text += (i ? ",%" : "%") + std::string(1, bank) + std::to_string(first + i);
  return text + "}";
}

TEST_P(WmmaTypes, ComputesTheProduct) {
  const auto& [shape, layouts] = GetParam();
  const WmmaType& type = shape.type;
  const bool a_rows = layouts & 1, b_rows = layouts & 2, c_rows = layouts & 4;
  const auto name = [](bool rows) { return std::string(rows ? "row" : "col"); };
  const std::string of =
      ".m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" + std::to_string(shape.k);
  const int word = type.bits == 64 ? 64 : 32;
  const auto words = [&](int elements) { return elements * type.bits / 32 / word; };
  const int a_words = words(shape.m * shape.k), b_words = words(shape.k * shape.n),
            c_words = shape.m * shape.n / 32;
  const bool integers = std::string(type.of_c) == "s32";
  const int a_stride = a_rows ? shape.k : shape.m, b_stride = b_rows ? shape.n : shape.k,
            c_stride = c_rows ? shape.n : shape.m;
  const std::string a = registers(type.a_bank, 1, a_words), b = registers(type.a_bank, 11, b_words),
                    c = registers(type.bank, 21, c_words);
  const auto load = [&](const std::string& what, bool rows, const std::string& element_type,
                        const std::string& to, std::size_t at, int stride) {
    return " wmma.load." + what + ".sync.aligned." + name(rows) + of + ".global." + element_type + " " + to +
           ", [%d1+" + std::to_string(at) + "], " + std::to_string(stride) + ";\n";
  };
  const std::string types =
      std::string(".") + type.of_c + "." + type.name + "." + type.name + "." + type.of_c;
  use(" .reg .f64 %e<40>;\n" + load("a", a_rows, type.name, a, 0, a_stride) +
      load("b", b_rows, type.name, b, kAtB, b_stride) +
      load("c", c_rows, type.of_c, c, integers ? kAtIntegers : kAtZeros, c_stride) + " wmma.mma" +
      type.operation + ".sync.aligned." + name(a_rows) + "." + name(b_rows) + of + types + " " + c + ", " +
      a + ", " + b + ", " + c + ";\n wmma.store.d.sync.aligned." + name(c_rows) + of + ".global." +
      type.of_c + " [%d1+" + std::to_string(kAtD) + "], " + c + ", " + std::to_string(c_stride) + ";\n");
  expect_equal_everywhere();
  const std::vector<std::uint8_t> before = buffer_of(memory()), after = reference(parsed_).data;
  const auto place = [](bool rows, int row, int column, int stride) {
    return static_cast<std::size_t>(rows ? row * stride + column : column * stride + row);
  };
  for (int row = 0; row < shape.m; ++row)
    for (int column = 0; column < shape.n; ++column) {
      double sum = 0, scale = 0;
      for (int k = 0; k < shape.k; ++k) {
        const double x = element(type, before, 0, place(a_rows, row, k, a_stride)),
                     y = element(type, before, kAtB, place(b_rows, k, column, b_stride));
        sum += *type.operation ? static_cast<double>(x != y) : x * y;
        scale += std::fabs(x * y);
      }
      const std::size_t at = place(c_rows, row, column, c_stride);
      if (integers) {
        std::int32_t added = 0, result = 0;
        std::memcpy(&added, &before[kAtIntegers + 4 * at], 4);
        std::memcpy(&result, &after[kAtD + 4 * at], 4);
        ASSERT_EQ(
            static_cast<std::uint32_t>(result),
            static_cast<std::uint32_t>(added) + static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)))
            << row << ", " << column;
      } else if (type.bank == 'e') {
        double result = 0;
        std::memcpy(&result, &after[kAtD + 8 * at], 8);
        ASSERT_NEAR(result, sum, 1e-14 * scale) << row << ", " << column;
      } else {
        float result = 0;
        std::memcpy(&result, &after[kAtD + 4 * at], 4);
        ASSERT_NEAR(result, sum, 1e-5 * scale) << row << ", " << column;
      }
    }
}

constexpr WmmaType kBf16{"bf16", "f32", 16, 'r', 'f'}, kTf32{"tf32", "f32", 32, 'r', 'f'},
    kF64{"f64", "f64", 64, 'e', 'e'}, kS8{"s8", "s32", 8, 'r', 'r'}, kU8{"u8", "s32", 8, 'r', 'r'},
    kS4{"s4", "s32", 4, 'r', 'r'}, kU4{"u4", "s32", 4, 'r', 'r'}, kB1{"b1", "s32", 1, 'r', 'r', ".xor.popc"};

INSTANTIATE_TEST_SUITE_P(, WmmaTypes,
                         testing::Combine(testing::Values(WmmaCase{kBf16, 16, 16, 16},
                                                          WmmaCase{kBf16, 32, 8, 16},
                                                          WmmaCase{kBf16, 8, 32, 16},
                                                          WmmaCase{kTf32, 16, 16, 8}, WmmaCase{kF64, 8, 8, 4},
                                                          WmmaCase{kS8, 16, 16, 16}, WmmaCase{kS8, 32, 8, 16},
                                                          WmmaCase{kS8, 8, 32, 16}, WmmaCase{kU8, 16, 16, 16},
                                                          WmmaCase{kU8, 32, 8, 16}, WmmaCase{kU8, 8, 32, 16}),
                                          testing::Range(0, 8)));
// For these types, PTX requires that A is stored row by row and B column by column.
INSTANTIATE_TEST_SUITE_P(NarrowTypes, WmmaTypes,
                         testing::Combine(testing::Values(WmmaCase{kS4, 8, 8, 32}, WmmaCase{kU4, 8, 8, 32},
                                                          WmmaCase{kB1, 8, 8, 128}),
                                          testing::Values(1, 5)));

}  // namespace
}  // namespace heddle::tensor_rows
