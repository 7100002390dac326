#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::gaussian {
namespace {

void reference(KernelData& data) {
  const auto matrix = data.buffer<float>("matrix");
  const auto right_side = data.buffer<float>("right_side");
  const std::size_t n = right_side.size();
  std::vector<double> m(matrix.begin(), matrix.end());
  std::vector<double> b(right_side.begin(), right_side.end());
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 1.0;
    for (std::size_t k = 0; k < n; ++k) sum += std::fabs(m[row * n + k]);
    m[row * n + row] = sum;
  }
  for (std::size_t pivot = 0; pivot + 1 < n; ++pivot) {
    for (std::size_t row = pivot + 1; row < n; ++row) {
      const double factor = m[row * n + pivot] / m[pivot * n + pivot];
      for (std::size_t k = pivot; k < n; ++k) m[row * n + k] -= factor * m[pivot * n + k];
      b[row] -= factor * b[pivot];
    }
  }
  for (std::size_t i = 0; i < m.size(); ++i) matrix[i] = static_cast<float>(m[i]);
  for (std::size_t i = 0; i < n; ++i) right_side[i] = static_cast<float>(b[i]);
}

const KernelReference registered("gaussian", &reference);

}  // namespace
}  // namespace heddle::kernels::gaussian
