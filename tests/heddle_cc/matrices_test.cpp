// Tests mma.h with products of matrices of small integers, which every element type represents exactly.

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/heddle_cc/device_program.h"

namespace heddle::device_test {
namespace {

enum class Kind { half, brain, single, real, byte, word };

std::size_t bytes_of_kind(Kind kind) {
  return kind == Kind::byte                           ? 1
         : kind == Kind::half || kind == Kind::brain  ? 2
         : kind == Kind::single || kind == Kind::word ? 4
                                                      : 8;
}

/// Returns the bits of an integer between -2047 and 2047 in the number format `kind`.
std::uint64_t bits_of_number(Kind kind, int value) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  switch (kind) {
    case Kind::half:
      if (value == 0) return 0;
      return (single >> 16 & 0x8000u) | ((single >> 23 & 255u) - 112u) << 10 | (single >> 13 & 1023u);
    case Kind::brain:
      return single >> 16;
    case Kind::single:
      return single;
    case Kind::real:
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    default:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

using Values = std::vector<int>;

std::vector<std::uint8_t> stored(Kind kind, const Values& values) {
  const std::size_t each = bytes_of_kind(kind);
  std::vector<std::uint8_t> bytes;
  for (const int value : values)
    for (std::size_t b = 0; b < each; ++b)
      bytes.push_back(static_cast<std::uint8_t>(bits_of_number(kind, value) >> 8 * b));
  return bytes;
}

struct Product {
  const char* name;
  int m, n, k;
  Kind data, sum;
  bool has_signs = true;
};
constexpr Product kProducts[] = {
    {"half_16_16", 16, 16, 16, Kind::half, Kind::single},
    {"half_32_8", 32, 8, 16, Kind::half, Kind::single},
    {"half_8_32", 8, 32, 16, Kind::half, Kind::single},
    {"halves_16_16", 16, 16, 16, Kind::half, Kind::half},
    {"halves_32_8", 32, 8, 16, Kind::half, Kind::half},
    {"halves_8_32", 8, 32, 16, Kind::half, Kind::half},
    {"brain_16_16", 16, 16, 16, Kind::brain, Kind::single},
    {"brain_32_8", 32, 8, 16, Kind::brain, Kind::single},
    {"brain_8_32", 8, 32, 16, Kind::brain, Kind::single},
    {"bytes_16_16", 16, 16, 16, Kind::byte, Kind::word},
    {"bytes_32_8", 32, 8, 16, Kind::byte, Kind::word},
    {"bytes_8_32", 8, 32, 16, Kind::byte, Kind::word},
    {"unsigned_bytes_16_16", 16, 16, 16, Kind::byte, Kind::word, false},
    {"unsigned_bytes_32_8", 32, 8, 16, Kind::byte, Kind::word, false},
    {"unsigned_bytes_8_32", 8, 32, 16, Kind::byte, Kind::word, false},
    {"tf32_16_16", 16, 16, 8, Kind::single, Kind::single},
    {"double_8_8", 8, 8, 4, Kind::real, Kind::real},
};

const DeviceProgram& program() {
  static const DeviceProgram made("matrices.cu", "-arch=sm_80");
  return made;
}

class MatricesOfMma : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_clang()) GTEST_SKIP() << "clang is missing";
  }
  Values random(int count, int least, int most) {
    std::uniform_int_distribution<int> numbers(least, most);
    Values values(static_cast<std::size_t>(count));
    for (int& value : values) value = numbers(engine_);
    return values;
  }

 private:
  std::mt19937 engine_{7};
};

std::size_t place(bool by_rows, int row, int column, int rows, int columns) {
  return static_cast<std::size_t>(by_rows ? row * columns + column : column * rows + row);
}

TEST_F(MatricesOfMma, ProductsOfAllShapesLayoutsAndTypes) {
  for (const Product& p : kProducts)
    for (const bool a_rows : {true, false})
      for (const bool b_rows : {true, false}) {
        const std::string kernel = std::string(p.name) + (a_rows ? "_r" : "_c") + (b_rows ? "r" : "c");
        const int least = p.has_signs ? -4 : 0;
        const Values a = random(p.m * p.k, least, 7), b = random(p.k * p.n, least, 7),
                     c = random(p.m * p.n, -100, 100);
        Values d(c.size());
        for (int row = 0; row < p.m; ++row)
          for (int column = 0; column < p.n; ++column) {
            const std::size_t at = place(b_rows, row, column, p.m, p.n);
            d[at] = c[at];
            for (int k = 0; k < p.k; ++k)
              d[at] += a[place(a_rows, row, k, p.m, p.k)] * b[place(b_rows, k, column, p.k, p.n)];
          }
        std::vector<std::uint8_t> in_a = stored(p.data, a), in_b = stored(p.data, b), in_c = stored(p.sum, c),
                                  out(in_c.size());
        program().run(kernel, 1, 32, {&in_a, &in_b, &in_c, &out});
        EXPECT_EQ(out, stored(p.sum, d)) << kernel;
      }
}

TEST_F(MatricesOfMma, ElementsMixedSumsAndSaturation) {
  const Values a = random(256, -4, 7), counts = random(256, 1, 7);
  Values sums(256);
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t column = 0; column < 16; ++column) {
      int sum = 1;  // twice 0.5
      for (std::size_t k = 0; k < 16; ++k) sum += 2 * a[16 * row + k];
      sums[16 * row + column] = sum;
    }
  std::vector<std::uint8_t> in_a = stored(Kind::half, a), in_bytes = stored(Kind::byte, counts),
                            out_sums(1024), out_counts(1024);
  program().run("elements", 1, 32, {&in_a, &in_bytes, &out_sums, &out_counts});
  EXPECT_EQ(out_sums, stored(Kind::single, sums));
  EXPECT_EQ(values_of<int>(out_counts), Values(256, 0x7fffffff));
}

}  // namespace
}  // namespace heddle::device_test
