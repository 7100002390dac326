#pragma once

// Defines a rate with its confidence interval, and the quantiles of Student's distribution from which such
// intervals are computed.

#include <array>
#include <cstddef>

namespace heddle::estimate {

/// A rate (a quantity per warp-instruction, such as cycles) and half of its 90 % confidence interval.
struct Rate {
  double value = 0, half_width = 0;
};

/// Number of measured differences that an assumed usual deviation between windows counts as, because a few
/// windows are a small sample.
constexpr std::size_t kUsualFreedom = 3;

/// Returns the quantile of Student's distribution that bounds a 90 % confidence interval.
inline double student_90(std::size_t freedom) {
  constexpr std::array kTable = {6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
                                 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725};
  if (freedom == 0) return kTable[0];
  if (freedom <= kTable.size()) return kTable[freedom - 1];
  return 1.645 + 1.6 / static_cast<double>(freedom);
}

}  // namespace heddle::estimate
