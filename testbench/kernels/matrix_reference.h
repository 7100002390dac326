// Rounding to formats with few binary digits, and products of matrices, for the references of kernels with matrix
// instructions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace heddle::kernels {

// Rounds a number to `fraction_bits` binary digits after its leading digit; a tie goes to the even number. `least` is
// the smallest exponent of a normal number. Subnormal numbers have the same rounding step as this exponent.
inline double rounded(double v, int fraction_bits, int least) {
  if (v == 0) return v;
  const int place = std::max(std::ilogb(v), least) - fraction_bits;
  return std::ldexp(std::nearbyint(std::ldexp(v, -place)), place);
}
inline double half(double v) { return rounded(v, 10, -14); }
inline double brain(double v) { return rounded(v, 7, -126); }
// Rounds to TF32. A tie goes away from zero.
inline double tf32(double v) {
  if (v == 0) return v;
  const int place = std::ilogb(v) - 10;
  return std::ldexp(std::round(std::ldexp(v, -place)), place);
}

// Returns the product of two matrices that are stored row by row. Applies `round` to each element of both
// matrices before multiplying.
template <class Round>
std::vector<double> product(std::span<const float> a, std::span<const float> b, std::size_t columns,
                            std::size_t inner, Round round) {
  std::vector<double> c(a.size() / inner * columns);
  for (std::size_t row = 0; row < a.size() / inner; ++row)
    for (std::size_t k = 0; k < inner; ++k) {
      const double factor = round(a[row * inner + k]);
      for (std::size_t column = 0; column < columns; ++column)
        c[row * columns + column] += factor * round(b[k * columns + column]);
    }
  return c;
}

}  // namespace heddle::kernels
