// Compares mathematical functions of the device with more precise functions of the host. Errors are in units
// of the last place.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/heddle_cc/device_program.h"

namespace heddle::device_test::mathematics {
namespace {

using Real = long double;
constexpr Real kPi = 3.14159265358979323846264338327950288L;
constexpr double kMax = std::numeric_limits<double>::max(), kMaxF = std::numeric_limits<float>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity(),
                 kNone = std::numeric_limits<double>::quiet_NaN();

Real sine_of_quarters(Real turn, int quarters_more) {
  const Real n = std::rint(2 * turn), rest = kPi * (turn - n / 2);
  const int q = (static_cast<int>(n) + quarters_more) & 3;
  const Real value = q & 1 ? std::cos(rest) : std::sin(rest);
  return q & 2 ? -value : value;
}
Real sinpi(Real x) { return std::isfinite(x) ? sine_of_quarters(std::fmod(x, 2.0L), 0) : kNone; }
Real cospi(Real x) { return std::isfinite(x) ? sine_of_quarters(std::fmod(std::fabs(x), 2.0L), 1) : kNone; }
Real exp10(Real x) { return std::pow(10.0L, x); }
Real rsqrt(Real x) { return 1 / std::sqrt(x); }
Real rcbrt(Real x) { return 1 / std::cbrt(x); }
Real rhypot(Real x, Real y) { return 1 / std::hypot(x, y); }
Real tgamma(Real x) { return x < 0 && std::trunc(x) == x ? kNone : std::tgamma(x); }
Real normcdf(Real x) { return std::erfc(-x * std::sqrt(0.5L)) / 2; }
Real erfcx(Real x) {
  if (x < 90) return std::exp(x * x) * std::erfc(x);
  Real term = 1, sum = 1;
  for (int k = 1; k < 10; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * std::sqrt(kPi));
}
/// Finds the argument at which a monotonic function is 0, by bisection. This is independent of the device's
/// algorithm.
template <class Function>
Real root(Function f, Real low, Real high) {
  for (int k = 0; k < 200 && low < high; ++k) {
    const Real middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (f(middle) > 0 ? high : low) = middle;
  }
  return low;
}
Real erfcinv(Real y);
Real erfinv(Real y) {
  const Real size = std::fabs(y);
  if (!(size <= 1)) return kNone;
  if (size > 0.5L) return std::copysign(erfcinv(1 - size), y);
  if (size < 1e-6L)
    // the next term of the series is smaller than the last place of the result
    return y * (1 + kPi * y * y / 12) * std::sqrt(kPi) / 2;
  return std::copysign(root([&](Real x) { return std::erf(x) - size; }, 0, 1), y);
}
Real erfcinv(Real y) {
  if (!(y >= 0 && y <= 2)) return kNone;
  if (y == 0 || y == 2) return y == 0 ? kInfinity : -kInfinity;
  if (y >= 0.5L) return y > 1.5L ? -erfcinv(2 - y) : erfinv(1 - y);
  return root([&](Real x) { return y - std::erfc(x); }, 0, 40);
}
Real normcdfinv(Real y) {
  const Real r = std::sqrt(2.0L);
  return y > 0.5L ? r * erfinv(2 * y - 1) : y > 0.25L ? -r * erfinv(1 - 2 * y) : -r * erfcinv(2 * y);
}

// Handles large arguments itself, because the C++ library's function throws an exception for them.
Real bessel_i(Real order, Real x) {
  const Real size = std::fabs(x);
  if (!(size < 800))
    return std::isnan(x) ? x
           : order > 0   ? std::copysign(static_cast<Real>(kInfinity), x)
                         : static_cast<Real>(kInfinity);
  const Real value = std::cyl_bessel_i(order, size);
  return order > 0 ? std::copysign(value, x) : value;
}
Real bessel_i0(Real x) { return bessel_i(0, x); }
Real bessel_i1(Real x) { return bessel_i(1, x); }

template <class T>
double error_of(T got, Real want) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : kInfinity;
  if (std::isinf(got) && static_cast<T>(want) == got) return 0;
  int exponent = 0;
  const Real largest = std::numeric_limits<T>::max();
  std::frexp(std::isinf(want) ? largest : want, &exponent);
  if (exponent < std::numeric_limits<T>::min_exponent || want == 0)
    exponent = std::numeric_limits<T>::min_exponent;
  const Real place = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  const Real reached =
      std::isinf(got) ? std::copysign(largest, static_cast<Real>(got)) : static_cast<Real>(got);
  return static_cast<double>(std::fabs(reached - want) / place);
}

constexpr std::size_t kArguments = 1024;

template <class T>
std::vector<T> arguments(double low, double high, std::mt19937_64& dice, bool second) {
  static const double special[] = {0.0,       -0.0,       1.0,     -1.0,      0.5,    -0.5,   2.0,     -2.0,
                                   kInfinity, -kInfinity, kNone,   1e-45,     1e-38,  5e-324, -1e-310, 3.4e38,
                                   kMax,      1e22,       65536.0, 1048576.0, M_PI_4, M_PI_2, M_PI,    88.72,
                                   709.78,    -745.1,     10.0,    1.5,       2.5,    3.0,    -3.0,    0.75};
  constexpr std::size_t count = std::size(special);
  if (low == high) return std::vector<T>(kArguments, static_cast<T>(low));
  std::vector<T> values;
  for (std::size_t k = 0; k < count; ++k)
    values.push_back(static_cast<T>(special[second ? (k * 7 + 3) % count : k]));
  while (values.size() < kArguments) {
    const double even = std::uniform_real_distribution<double>(0, 1)(dice);
    T value = static_cast<T>(low + (high / 2 - low / 2) * 2 * even);
    if (high - low > 1e308) value = static_cast<T>(low * even + high * (1 - even));
    if (values.size() % 2 == 0) {
      std::uint64_t bits = dice();
      std::memcpy(&value, &bits, sizeof value);
    }
    if (std::isfinite(value) && value >= static_cast<T>(low) && value <= static_cast<T>(high))
      values.push_back(value);
  }
  return values;
}

struct Row {
  int line;
  std::string name;
  bool single, two;
  double bound, low, high, low2, high2;
  Real (*of_one)(Real);
  Real (*of_two)(Real, Real);
};
#define ONE(type, name, host, bound, low, high)                                               \
  {__LINE__, #name, sizeof(type) == 4, false, bound, low, high, 0, 0, [](Real x) -> Real { return host(x); }, \
   nullptr},
#define TWO(type, name, host, bound, low, high, low2, high2) \
  {__LINE__,                                                 \
   #name,                                                    \
   sizeof(type) == 4,                                        \
   true,                                                     \
   bound,                                                    \
   low,                                                      \
   high,                                                     \
   low2,                                                     \
   high2,                                                    \
   nullptr,                                                  \
   [](Real x, Real y) -> Real { return host(x, y); }},
const std::vector<Row> kRows = {
#include "mathematics.h"
};
#undef ONE
#undef TWO

template <class T>
void judge(const DeviceProgram& program, const Row& row) {
  std::mt19937_64 dice(static_cast<std::uint64_t>(row.line));
  const std::vector<T> x = arguments<T>(row.low, row.high, dice, false),
                       y = arguments<T>(row.low2, row.high2, dice, true);
  auto a = bytes_of(x), b = bytes_of(y), out = a;
  program.run("row_" + std::to_string(row.line), kArguments / 128, 128, {&a, &b, &out});
  const std::vector<T> got = values_of<T>(out);
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < kArguments; ++k) {
    const Real want = row.two ? row.of_two(x[k], y[k]) : row.of_one(x[k]);
    if (const double error = error_of(got[k], want); error > worst) {
      worst = error;
      at = k;
    }
  }
  EXPECT_LE(worst, row.bound) << row.name << " of " << x[at]
                              << (row.two ? " and " + std::to_string(y[at]) : "") << " is " << got[at];
}

TEST(Mathematics, IsWithinTheGuidesBounds) {
  if (!have_clang()) GTEST_SKIP() << "clang is missing";
  const DeviceProgram program("mathematics.cu");
  for (const Row& row : kRows) row.single ? judge<float>(program, row) : judge<double>(program, row);
}

}  // namespace
}  // namespace heddle::device_test::mathematics
