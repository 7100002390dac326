#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "tests/heddle_cc/device_program.h"

#pragma GCC diagnostic ignored "-Wpedantic"    // the table uses statement expressions and 128 bits
#pragma GCC diagnostic ignored "-Wconversion"  // the table's expressions are written as in kernels
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace heddle::device_test::one_liners {
namespace {

constexpr int kThreads = 32;

struct Lane {
  unsigned x, y, z;
  int s, t;
  unsigned long long p, q;
  float f, g, h;
  double d, e;
};

struct Numbers {
  std::vector<unsigned> words;
  std::vector<double> reals;
  Lane lane(int i) const {
    const auto at = static_cast<std::size_t>(i);
    Lane l{};
    l.x = words[at], l.y = words[at + 32], l.z = words[at + 64];
    l.s = static_cast<int>(l.x), l.t = static_cast<int>(l.y);
    l.p = static_cast<unsigned long long>(l.y) << 32 | l.x,
    l.q = static_cast<unsigned long long>(l.z) << 32 | l.y;
    l.d = reals[at], l.e = reals[at + 32];
    l.f = static_cast<float>(l.d), l.g = static_cast<float>(l.e), l.h = static_cast<float>(reals[at + 64]);
    return l;
  }
};

unsigned long long reversed(unsigned long long v) {
  unsigned long long r = 0;
  for (int k = 0; k < 64; ++k) r |= (v >> k & 1) << (63 - k);
  return r;
}
unsigned long long pair_of(unsigned low, unsigned high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
unsigned bytes_picked(unsigned a, unsigned b, unsigned selector) {
  unsigned r = 0;
  for (unsigned k = 0; k < 4; ++k)
    r |= static_cast<unsigned>(pair_of(a, b) >> (8 * (selector >> (4 * k) & 7)) & 0xff) << (8 * k);
  return r;
}
template <class Byte>
int dot_of_bytes(unsigned a, unsigned b, int c) {
  for (int k = 0; k < 32; k += 8) c += static_cast<Byte>(a >> k) * static_cast<Byte>(b >> k);
  return c;
}
template <class Half, class Byte>
unsigned dot_of_halves(unsigned a, unsigned b, int c) {
  return static_cast<unsigned>(c) + static_cast<unsigned>(static_cast<Half>(a) * static_cast<Byte>(b)) +
         static_cast<unsigned>(static_cast<Half>(a >> 16) * static_cast<Byte>(b >> 8));
}
template <class Part, class Operation>
unsigned by_parts(unsigned a, unsigned b, Operation operation) {
  unsigned r = 0;
  constexpr unsigned bits = 8 * sizeof(Part);
  for (unsigned k = 0; k < 32; k += bits)
    r |= (static_cast<unsigned>(operation(static_cast<Part>(a >> k), static_cast<Part>(b >> k))) &
          ((1u << bits) - 1))
         << k;
  return r;
}
unsigned sum_of_parts(unsigned a) { return (a & 0xff) + (a >> 8 & 0xff) + (a >> 16 & 0xff) + (a >> 24); }
template <class Function>
__attribute__((noinline)) auto rounded(int mode, Function f) {
  std::fesetround(mode);
  volatile auto value = f();
  std::fesetround(FE_TONEAREST);
  return value;
}

std::uint64_t bits_of(double v) { return std::bit_cast<std::uint64_t>(v); }
std::uint64_t bits_of(float v) { return bits_of(static_cast<double>(v)); }
template <class T>
std::uint64_t bits_of(T v) {
  return static_cast<std::uint64_t>(v);
}

struct Row {
  int line;
  std::string family, text;
  std::function<std::uint64_t(const Numbers&, int)> host;
};
#define LINE(family, device, expected)                                              \
  {__LINE__, #family, #device, [](const Numbers& numbers, int i) -> std::uint64_t { \
     const auto lane = [&](int other) { return numbers.lane(other); };              \
     [[maybe_unused]] const auto& first_words = numbers.words;                      \
     const auto [x, y, z, s, t, p, q, f_, g_, h_, d_, e_] = lane(i);                \
     const float f = f_, g = g_, h = h_;                                            \
     const double d = d_, e = e_;                                                   \
     return bits_of(expected);                                                      \
   }},
const std::vector<Row> kRows = {
#include "one_liners.h"
};
#undef LINE

Numbers random_numbers() {
  std::mt19937_64 dice(7);
  Numbers n;
  for (int k = 0; k < 96; ++k) n.words.push_back(static_cast<unsigned>(dice()) | (k >= 32 ? 1u : 0u));
  for (int k = 0; k < 96; ++k)
    n.reals.push_back(
        std::ldexp(std::uniform_real_distribution<double>(-1, 1)(dice), static_cast<int>(dice() % 8)));
  return n;
}

TEST(OneLiners, ReturnWhatTheHostDoes) {
  if (!have_clang()) GTEST_SKIP() << "clang is missing";
  const DeviceProgram program("one_liners.cu");
  const Numbers numbers = random_numbers();
  std::map<std::string, int> right;
  for (const Row& row : kRows) {
    auto words = bytes_of(numbers.words), reals = bytes_of(numbers.reals);
    std::vector<std::uint8_t> out(8 * kThreads, 0xa5);
    program.run("row_" + std::to_string(row.line), 1, kThreads, {&words, &reals, &out});
    const auto got = values_of<std::uint64_t>(out);
    bool same = true;
    for (int i = 0; i < kThreads && same; ++i) {
      const std::uint64_t want = row.host(numbers, i), have = got[static_cast<std::size_t>(i)];
      same = want == have || static_cast<std::uint32_t>(want) == have ||
             static_cast<std::uint32_t>(have) == want;
      EXPECT_TRUE(same) << fmt::format("{} of thread {}: {:#x}, should be {:#x}", row.text, i, have, want);
    }
    right[row.family] += same;
  }
  for (const auto& [family, count] : right) RecordProperty(family, count);
}

}  // namespace
}  // namespace heddle::device_test::one_liners
