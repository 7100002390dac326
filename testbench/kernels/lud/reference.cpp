#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::lud {
namespace {

void reference(KernelData& data) {
  const auto matrix = data.buffer<float>("matrix");
  const std::size_t n = static_cast<std::size_t>(data.integer("n"));
  std::vector<double> m(matrix.begin(), matrix.end());
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 1.0;
    for (std::size_t k = 0; k < n; ++k) sum += std::fabs(m[row * n + k]);
    m[row * n + row] = sum;
  }
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    for (std::size_t row = pivot + 1; row < n; ++row) {
      m[row * n + pivot] /= m[pivot * n + pivot];
      for (std::size_t k = pivot + 1; k < n; ++k) m[row * n + k] -= m[row * n + pivot] * m[pivot * n + k];
    }
  }
  for (std::size_t i = 0; i < m.size(); ++i) matrix[i] = static_cast<float>(m[i]);
}

const KernelReference registered("lud", &reference);

}  // namespace
}  // namespace heddle::kernels::lud
