#include "tests/on_gpu/input_values.h"

#include <array>
#include <bit>
#include <cmath>
#include <string>

namespace heddle::on_gpu {

namespace {

constexpr std::array<std::uint64_t, 22> kHalves = {
    0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x0080, 0x007f, 0x3c00, 0xbc00, 0x3f80,
    0xbf80, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7f80, 0xff80, 0x7e00, 0x7fff, 0xffff, 0x7f7f};
constexpr std::array<std::uint64_t, 22> kWords = {
    0,          1,          2,          31,         32,         33,         0x80000000, 0x7fffffff,
    0xffffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x00800000, 0x007fffff, 0x7f7fffff, 0xff7fffff,
    0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x4f000000};
constexpr std::array<std::uint64_t, 18> kLongs = {0,
                                                  1,
                                                  63,
                                                  64,
                                                  0x8000000000000000,
                                                  0x7fffffffffffffff,
                                                  0xffffffffffffffff,
                                                  0x3ff0000000000000,
                                                  0xbff0000000000000,
                                                  0x0010000000000000,
                                                  0x000fffffffffffff,
                                                  0x7fefffffffffffff,
                                                  0x7ff0000000000000,
                                                  0xfff0000000000000,
                                                  0x7ff8000000000000,
                                                  0x7ff0000000000001,
                                                  0x43e0000000000000,
                                                  0x380fffffffffffff};

template <class List>
std::uint64_t one_of(const List& list, std::mt19937_64& random) {
  return list[random() % list.size()];
}

std::uint64_t usual(int exponent_bits, int fraction_bits, std::mt19937_64& random) {
  const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  const std::uint64_t spread = bias < 16 ? 8 : 12;
  const std::uint64_t exponent = bias + random() % (2 * spread + 1) - spread;
  std::uint64_t fraction = random() & ((std::uint64_t{1} << fraction_bits) - 1);
  if (random() % 4 == 0) fraction &= ~std::uint64_t{0} << (random() % static_cast<unsigned>(fraction_bits));
  return (random() & 1) << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

std::uint64_t value_of(const std::string& type, std::mt19937_64& random) {
  const auto choice = random() % 8;
  if (type == "pred") return random() & 1;
  if (type == "b16") return choice < 2 ? one_of(kHalves, random) : random() & 0xffff;
  if (type == "f64")
    return choice < 2 ? one_of(kLongs, random) : choice < 5 ? usual(11, 52, random) : random();
  if (type == "b64") return choice < 2 ? one_of(kLongs, random) : choice == 2 ? random() % 256 : random();
  if (choice < 2) return one_of(kWords, random);
  if (choice < 5 && type == "f32") return usual(8, 23, random);
  if (choice == 2) return random() % 256;
  if (choice < 5)
    return one_of(kHalves, random) << 16 | (random() % 2 ? one_of(kHalves, random) : random() & 0xffff);
  return random() & 0xffffffff;
}

std::uint64_t encoded(double value, int bias, int fraction_bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto digits = static_cast<std::uint64_t>(std::lround(std::ldexp(fraction, fraction_bits + 1)));
  return (static_cast<std::uint64_t>(exponent - 1 + bias) << fraction_bits) + digits -
         (std::uint64_t{1} << fraction_bits);
}

/// Puts two factors into `tuple`. The product of the factors lies within about one step of the least normal
/// number. Such products show whether the GPU flushes results before or after rounding.
void put_factors_of_least(const std::string& type, std::vector<std::uint64_t>& tuple,
                          std::mt19937_64& random) {
  const bool wide = type == "f32";
  const bool half = !wide && random() % 2 == 0;
  const int bias = half ? 15 : 127, fraction_bits = wide ? 23 : half ? 10 : 7;
  const double a = std::ldexp(1 + static_cast<double>(random() % 65536) / 65536, (1 - bias) / 2);
  const double rounded =
      std::ldexp(std::floor(std::ldexp(a, fraction_bits - (1 - bias) / 2)), (1 - bias) / 2 - fraction_bits);
  const double least = std::ldexp(
      1 - static_cast<double>(random() % 65536) / 65536 * std::ldexp(1.0, -fraction_bits), 1 - bias);
  tuple[0] = encoded(rounded, bias, fraction_bits);
  tuple[1] = encoded(least / rounded, bias, fraction_bits);
  if (tuple.size() > 2) tuple[2] = 0;
}

}  // namespace

std::vector<std::vector<std::uint64_t>> input_tuples(const std::vector<semantics::TableColumn>& columns,
                                                     std::size_t rows, std::mt19937_64& random) {
  const bool all = columns.size() == 1 && columns.front().type == "b16";
  std::vector<std::vector<std::uint64_t>> tuples(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const semantics::TableColumn& column : columns)
      tuples[row].push_back(all && row < 65536 ? row : value_of(column.type, random));
    const bool pair = columns.size() > 1 && columns[0].type == columns[1].type;
    if (pair && (columns[0].type == "f32" || columns[0].type == "b16") && random() % 16 == 0)
      put_factors_of_least(columns[0].type, tuples[row], random);
  }
  return tuples;
}

}  // namespace heddle::on_gpu
