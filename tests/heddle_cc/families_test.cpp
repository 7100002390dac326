#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "tests/heddle_cc/device_program.h"

namespace heddle::device_test::families {
namespace {

const DeviceProgram& program() {
  static const DeviceProgram made("families.cu");
  return made;
}
template <class T>
std::vector<std::uint8_t> zeros(std::size_t count) {
  return std::vector<std::uint8_t>(count * sizeof(T));
}

#define NEEDS_CLANG \
  if (!have_clang()) GTEST_SKIP() << "clang is missing"

struct Format {
  int exponent_bits, fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  double value(std::uint16_t pattern) const {
    const int field = pattern >> fraction_bits & ((1 << exponent_bits) - 1),
              fraction = pattern & ((1 << fraction_bits) - 1);
    double size = std::ldexp(fraction, 1 - bias() - fraction_bits);
    if (field == (1 << exponent_bits) - 1)
      size = fraction ? std::nan("") : INFINITY;
    else if (field > 0)
      size = std::ldexp(fraction + (1 << fraction_bits), field - bias() - fraction_bits);
    return pattern & 0x8000 ? -size : size;
  }
  template <class Round>
  double rounded(long double v, Round whole) const {
    if (!std::isfinite(v) || v == 0) return static_cast<double>(v);
    const int place = std::max(std::ilogb(v), 1 - bias()) - fraction_bits;
    const long double r = std::ldexp(whole(std::ldexp(v, -place)), place);
    const long double largest = std::ldexp(2.0L - std::ldexp(1.0L, -fraction_bits), bias());
    if (std::fabs(r) <= largest) return static_cast<double>(r);
    const bool stays =
        std::fabs(whole(std::copysign(1.5L, v))) < 1.25L && std::isfinite(static_cast<double>(v));
    return std::copysign(stays ? static_cast<double>(largest) : INFINITY, static_cast<double>(v));
  }
  double nearest(long double v) const {
    return rounded(v, [](long double x) { return std::nearbyint(x); });
  }
};
constexpr Format kHalf{5, 10}, kBrain{8, 7};

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

TEST(Halves, WidenExactly) {
  NEEDS_CLANG;
  auto half = zeros<float>(65536), brain = half;
  program().run("half_widen", 256, 256, {&half, &brain});
  const auto h = values_of<float>(half), b = values_of<float>(brain);
  for (unsigned i = 0; i < 65536; ++i) {
    const auto pattern = static_cast<std::uint16_t>(i);
    ASSERT_TRUE(same(h[i], kHalf.value(pattern))) << i;
    ASSERT_TRUE(same(b[i], kBrain.value(pattern))) << i;
  }
}

TEST(Halves, NarrowWithOneRounding) {
  NEEDS_CLANG;
  std::mt19937_64 dice(5);
  std::vector<float> in;
  for (const float v : {0.0f,      -0.0f,    1.0f,          65504.0f, 65519.9f,      65520.0f,   -65536.0f,
                        5.96e-8f,  2.98e-8f, 2.9802326e-8f, 1e-45f,   3.4e38f,       3.3961e38f, INFINITY,
                        -INFINITY, NAN,      2049.0f,       2051.0f,  6.1035156e-5f, 6.1e-5f})
    in.push_back(v);
  while (in.size() < 2048)
    in.push_back(in.size() % 2 ? std::bit_cast<float>(static_cast<std::uint32_t>(dice()))
                               : std::ldexp(std::uniform_real_distribution<float>(-1, 1)(dice),
                                            static_cast<int>(dice() % 48) - 30));
  auto values = bytes_of(in), half = zeros<std::uint16_t>(4096), brain = half;
  program().run("half_narrow", 16, 128, {&values, &half, &brain});
  const auto h = values_of<std::uint16_t>(half), b = values_of<std::uint16_t>(brain);
  const auto toward_zero = [](long double x) { return std::trunc(x); };
  const auto up = [](long double x) { return std::ceil(x); };
  for (std::size_t i = 0; i < in.size(); ++i) {
    ASSERT_TRUE(same(kHalf.value(h[2 * i]), kHalf.nearest(in[i]))) << in[i];
    ASSERT_TRUE(same(kHalf.value(h[2 * i + 1]), kHalf.rounded(in[i], toward_zero))) << in[i];
    ASSERT_TRUE(same(kBrain.value(b[2 * i]), kBrain.nearest(in[i]))) << in[i];
    if (std::fabs(in[i]) < 3.3e38f) {
      ASSERT_TRUE(same(kBrain.value(b[2 * i + 1]), kBrain.rounded(in[i], up))) << in[i];
    }
  }
}

void judge_operations(const Format& format, const char* kernel) {
  std::mt19937_64 dice(9);
  std::vector<std::uint16_t> in;
  for (int i = 0; i < 3 * 2048; ++i) in.push_back(static_cast<std::uint16_t>(dice()));
  auto values = bytes_of(in), out = zeros<std::uint16_t>(6 * 2048);
  program().run(kernel, 16, 128, {&values, &out});
  const auto got = values_of<std::uint16_t>(out);
  for (std::size_t i = 0; i < 2048; ++i) {
    const long double x = format.value(in[3 * i]), y = format.value(in[3 * i + 1]),
                      z = format.value(in[3 * i + 2]);
    // The exact sum may have more digits than long double. If the sum in long double is a midpoint of the
    // format, the remaining digits determine to which side the sum is rounded.
    const long double product = x * y, sum = product + z, part = sum - product;
    const long double rest = (product - (sum - part)) + (z - part);
    long double fused = sum;
    if (rest != 0 && std::isfinite(sum)) fused = std::nextafter(sum, rest > 0 ? INFINITY : -INFINITY);
    if (!std::isfinite(format.nearest(sum)) || format.nearest(sum) == sum) fused = sum;
    const std::array<long double, 6> want = {x + y, x - y, x * y, x / y, fused, std::sqrt(std::fabs(x))};
    for (std::size_t k = 0; k < 6; ++k)
      ASSERT_TRUE(same(format.value(got[6 * i + k]), format.nearest(want[k])))
          << kernel << " " << k << " of " << static_cast<double>(x) << " " << static_cast<double>(y) << " "
          << static_cast<double>(z) << ": " << format.value(got[6 * i + k]);
  }
}
TEST(Halves, OperateWithOneRounding) {
  NEEDS_CLANG;
  judge_operations(kHalf, "half_operations");
  judge_operations(kBrain, "bfloat_operations");
}

TEST(Halves, ComeInPairsAtomicsAndShuffles) {
  NEEDS_CLANG;
  std::vector<std::uint16_t> in(64);
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned pattern = 0; pattern < 0x7c00; ++pattern) {
      if (kHalf.value(static_cast<std::uint16_t>(pattern)) == i / 2.0)
        in[2 * i] = static_cast<std::uint16_t>(pattern);
      if (kHalf.value(static_cast<std::uint16_t>(pattern)) == 1)
        in[2 * i + 1] = static_cast<std::uint16_t>(pattern);
    }
  auto pairs = bytes_of(in), out = zeros<float>(256);
  program().run("half_others", 1, 32, {&pairs, &out});
  const auto got = values_of<float>(out);
  for (int i = 0; i < 32; ++i) {
    const float low = 2.0f * static_cast<float>(i);
    const std::array<float, 8> want = {low,
                                       16,
                                       32,
                                       16,
                                       64,
                                       2.0f * static_cast<float>(i ^ 1),
                                       low < 4 ? 11.0f : 10.0f,
                                       std::exp2(static_cast<float>(i % 4))};
    for (std::size_t k = 0; k < 8; ++k)
      EXPECT_EQ(got[static_cast<std::size_t>(i) * 8 + k], want[k]) << i << " " << k;
  }
}

TEST(Groups, KnowTheirThreads) {
  NEEDS_CLANG;
  constexpr unsigned kThreads = 64;
  auto out = zeros<unsigned>(20 * kThreads);
  program().run("groups", 1, kThreads, {&out});
  const auto got = values_of<unsigned>(out);
  for (unsigned i = 0; i < kThreads; ++i) {
    const unsigned tile = i & ~7u, warp = i & ~31u, lane = i & 31;
    std::vector<unsigned> thirds;
    for (unsigned t = warp; t < warp + 32; ++t)
      if (t % 3 == 0) thirds.push_back(t);
    unsigned third_sum = 0, above_3 = 0, rank = 0;
    for (unsigned k = 0; k < thirds.size(); ++k) {
      third_sum += thirds[k];
      above_3 |= (thirds[k] > 3 ? 1u : 0u) << k;
      if (thirds[k] == i) rank = k;
    }
    unsigned labelled = 0, label_rank = 0;
    for (unsigned t = warp; t < warp + 32; ++t)
      if (t / 5 == i / 5) labelled += 1, label_rank += t < i;
    const auto count = static_cast<unsigned>(thirds.size());
    const bool in = i % 3 == 0;
    const std::array<unsigned, 20> want = {8 * tile + 28,
                                           warp + 31,
                                           i % 8 + 1,
                                           (lane * (2 * warp + lane - 1)) / 2,
                                           i % 8 + 100 * (i / 8) + 10000 * 8,
                                           7u,
                                           tile == 8 ? 3u : (tile > 8 ? 2u : 0u),
                                           tile + 5,
                                           i % 8 < 6 ? i + 2 : i,
                                           i ^ 4,
                                           (i & ~1u) + 100 * (i % 8 / 2),
                                           in ? count + 100 * rank : 0,
                                           in ? third_sum : 0,
                                           in ? thirds[2] : 0,
                                           in ? rank + 1 + 100 * above_3 : 0,
                                           labelled + 100 * label_rank,
                                           8 + 100 * (i % 8),
                                           i,
                                           i % 4 + 10 * kThreads,
                                           7};
    for (std::size_t k = 0; k < want.size(); ++k)
      EXPECT_EQ(got[20 * i + k], want[k]) << "thread " << i << ", number " << k;
  }
}

TEST(Atomics, OfEveryTypeAndScope) {
  NEEDS_CLANG;
  constexpr int n = 128;
  auto words = zeros<int>(32), longs = zeros<std::uint64_t>(16), reals = zeros<float>(4),
       doubles = zeros<double>(4);
  auto shorts = bytes_of(std::vector<std::uint16_t>{7, 3, 8, 3});
  const auto set = [](std::vector<std::uint8_t>& bytes, std::size_t at, auto v) {
    std::memcpy(&bytes[at * sizeof v], &v, sizeof v);
  };
  set(words, 4, -1);
  set(words, 9, 5);
  set(words, 19, 5000);
  set(words, 22, 0x123);
  set(longs, 1, ~std::uint64_t{0});
  set(longs, 2, std::int64_t{-1000});
  set(longs, 7, ~std::uint64_t{0});
  program().run("atomics", 2, 64, {&words, &longs, &reals, &doubles, &shorts});
  const auto w = values_of<int>(words);
  const int sum = n * (n - 1) / 2;
  const std::vector<int> signed_want = {sum, -sum, -(n - 1), n - 1, 0, -1, 0, 5, n};
  for (std::size_t k = 0; k < signed_want.size(); ++k) EXPECT_EQ(w[k], signed_want[k]) << k;
  EXPECT_GT(w[9], 5);
  EXPECT_EQ(w[10], 64);
  EXPECT_EQ(w[11], 64);
  // atomicInc counts from 0 to 10 and begins again; atomicDec counts down
  const std::vector<int> unsigned_want = {
      sum, n % 11, (11 - n % 11) % 11, 1000 - (n - 1), n - 1, -sum, 0x123, n - 1, 3 * n};
  for (std::size_t k = 0; k < unsigned_want.size(); ++k) EXPECT_EQ(w[16 + k], unsigned_want[k]) << k;
  const auto l = values_of<std::uint64_t>(longs);
  const std::vector<std::uint64_t> long_want = {static_cast<std::uint64_t>(sum) << 32,
                                                ~std::uint64_t{0} - (n - 1),
                                                0,
                                                ~std::uint64_t{0},
                                                0,
                                                77,
                                                std::uint64_t{n} << 33,
                                                0,
                                                n};
  for (std::size_t k = 0; k < long_want.size(); ++k) EXPECT_EQ(l[k], long_want[k]) << k;
  EXPECT_EQ(values_of<float>(reals), (std::vector<float>{0.5f * n, 2.5f, n, 0}));
  EXPECT_EQ(values_of<double>(doubles), (std::vector<double>{0.25 * n, 2.0 * n, 32, 32}));
  EXPECT_EQ(values_of<std::uint16_t>(shorts), (std::vector<std::uint16_t>{7, 9, 8, 3}));
}

// Compares with published results of Random123 (J. Salmon et al., SC 2011) for philox4x32 with 10 rounds.
TEST(Random, PhiloxGivesThePublishedAnswers) {
  NEEDS_CLANG;
  auto counters = bytes_of(std::vector<std::uint32_t>{0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u, 0x243f6a88, 0x85a308d3,
                                                      0x13198a2e, 0x03707344});
  auto keys = bytes_of(std::vector<std::uint32_t>{0, 0, ~0u, ~0u, 0xa4093822, 0x299f31d0});
  auto out = zeros<std::uint32_t>(12);
  program().run("philox_answers", 1, 3, {&counters, &keys, &out});
  EXPECT_EQ(
      values_of<std::uint32_t>(out),
      (std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0x408f276d, 0x41c83b0e,
                                  0xa20bc7c6, 0x6d5451fd, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

struct Xorwow {
  std::array<std::uint32_t, 5> v;
  std::uint32_t d;
  std::uint32_t next() {
    const std::uint32_t t = v[0] ^ (v[0] >> 2);
    v = {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
    return v[4] + (d += 362437);
  }
};

TEST(Random, SequencesBeginWhereTheyMust) {
  NEEDS_CLANG;
  constexpr std::size_t kThreads = 32;
  auto xorwow = zeros<std::uint32_t>(8 * kThreads), philox = zeros<std::uint32_t>(4 * kThreads),
       moments = zeros<double>(3 * kThreads);
  program().run("random_words", 1, kThreads, {&xorwow, &philox, &moments});
  const auto x = values_of<std::uint32_t>(xorwow), p = values_of<std::uint32_t>(philox);
  const std::uint32_t low = (0x89abcdefu ^ 0xaad26b49u) * 1099087573u,
                      high = (0x01234567u ^ 0xf7dcefddu) * 2591861531u;
  Xorwow host{{123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
              6615241u + high + low};
  double sum = 0, squares = 0, uniform = 0;
  for (std::size_t i = 0; i < kThreads; ++i) {
    Xorwow here = host;
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(x[8 * i + k], here.next()) << i;
    for (int k = 0; k < 1000; ++k) host.next();
    EXPECT_EQ(x[8 * i + 4], x[8 * i + 5]) << "sixteen times 2^63 steps are a sequence, " << i;
    EXPECT_EQ(p[4 * i], p[4 * i + 1]);
    EXPECT_EQ(p[4 * i + 2], p[4 * i + 3]);
    const auto m = values_of<double>(moments);
    sum += m[3 * i];
    squares += m[3 * i + 1];
    uniform += m[3 * i + 2];
  }
  const double n = 64.0 * kThreads;  // the mean may differ by four standard deviations
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(uniform / n, 0.5, 4 * std::sqrt(1 / 12.0 / n));
}

/// L'Ecuyer's random generator MRG32k3a. It can make one step, or skip many steps with a power of the matrix
/// that describes one step.
struct Mrg32k3a {
  static constexpr std::int64_t m1 = 4294967087, m2 = 4294944443;
  using Values = std::array<std::int64_t, 3>;
  using Matrix = std::array<Values, 3>;
  Values x, y;
  std::uint32_t next() {
    const std::int64_t a = ((1403580 * x[1] - 810728 * x[0]) % m1 + m1) % m1,
                       b = ((527612 * y[2] - 1370589 * y[0]) % m2 + m2) % m2;
    x = {x[1], x[2], a};
    y = {y[1], y[2], b};
    const std::int64_t z = a > b ? a - b : a - b + m1;
    return static_cast<std::uint32_t>(static_cast<double>(z) * 1.000000048662);
  }
  void jump(int doublings) {
    x = times(power({{{0, 1, 0}, {0, 0, 1}, {m1 - 810728, 1403580, 0}}}, doublings, m1), x, m1);
    y = times(power({{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589, 0, 527612}}}, doublings, m2), y, m2);
  }
  static std::int64_t sum(std::int64_t so_far, std::int64_t a, std::int64_t b, std::int64_t m) {
    const std::uint64_t product = static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
    return (so_far + static_cast<std::int64_t>(product % static_cast<std::uint64_t>(m))) % m;
  }
  static Values times(const Matrix& a, const Values& v, std::int64_t m) {
    Values result{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) result[i] = sum(result[i], a[i][k], v[k], m);
    return result;
  }
  static Matrix power(Matrix a, int doublings, std::int64_t m) {
    for (; doublings > 0; --doublings) {
      Matrix square{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t k = 0; k < 3; ++k) square[i][j] = sum(square[i][j], a[i][k], a[k][j], m);
      a = square;
    }
    return a;
  }
};

TEST(Random, CombinedRecurrencesAreLEcuyers) {
  NEEDS_CLANG;
  constexpr std::size_t kThreads = 32;
  auto words = zeros<std::uint32_t>(8 * kThreads), moments = zeros<double>(3 * kThreads);
  program().run("combined_recurrences", 1, kThreads, {&words, &moments});
  const auto w = values_of<std::uint32_t>(words);
  const auto m = values_of<double>(moments);
  const Mrg32k3a start{{12345, 12345, 12345}, {12345, 12345, 12345}};
  Mrg32k3a host = start;
  EXPECT_EQ(Mrg32k3a(start).next(), 545508615u) << "0.1270111 of 2^32, the first of the published numbers";
  double sum = 0, squares = 0, uniform = 0;
  std::vector<std::uint32_t> first;
  for (std::size_t i = 0; i < kThreads; ++i) {
    Mrg32k3a here = host;
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(w[8 * i + k], here.next()) << i;
    for (int k = 0; k < 1000; ++k) host.next();
    first.push_back(w[8 * i + 4]);
    Mrg32k3a far = start;
    for (std::size_t k = 0; k < i; ++k) far.jump(76);
    for (int k = 0; k < 3; ++k) far.next();
    EXPECT_EQ(w[8 * i + 5], far.next()) << "sequences are 2^76 steps apart, " << i;
    for (std::size_t k = 0; k < i; ++k) far.jump(127);
    EXPECT_EQ(w[8 * i + 6], far.next()) << i;
    sum += m[3 * i];
    squares += m[3 * i + 1];
    uniform += m[3 * i + 2];
  }
  std::sort(first.begin(), first.end());
  EXPECT_EQ(std::unique(first.begin(), first.end()), first.end()) << "each seed begins elsewhere";
  const double n = 64.0 * kThreads;  // each mean may differ from its expectation by 4 standard deviations
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(uniform / n, 0.5, 4 * std::sqrt(1 / 12.0 / n));
}

TEST(Barriers, HoldLoadsBack) {
  NEEDS_CLANG;
  const std::string& text = program().text();
  const std::size_t begin = text.find(".entry loads_stay"), end = text.find(".entry", begin + 10);
  const std::string kernel = text.substr(begin, end - begin);
  // The compiler must keep all 15 loads of the kernel loads_stay: in the PTX, one stands before each of the
  // 14 fences, and one after the last fence.
  int loads = 0, fences = 0, loads_since = 0;
  std::size_t at = 0;
  while (at < kernel.size()) {
    const std::size_t line_end = std::min(kernel.find('\n', at), kernel.size());
    const std::string line = kernel.substr(at, line_end - at);
    at = line_end + 1;
    const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
    if (has("ld.shared") && has("kept")) {
      ++loads;
      ++loads_since;
    }
    if (has("bar.") || has("membar.") || has("atom.") || has("shfl.") || has("vote.")) {
      EXPECT_EQ(loads_since, 1) << "before: " << line;
      loads_since = 0;
      ++fences;
    }
  }
  EXPECT_EQ(fences, 14);
  EXPECT_EQ(loads, 15);
}

}  // namespace
}  // namespace heddle::device_test::families
