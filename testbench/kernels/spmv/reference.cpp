#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::spmv {
namespace {

void reference(KernelData& data) {
  const auto first = data.buffer<std::uint32_t>("first");
  const auto length = data.buffer<std::uint32_t>("length");
  const auto columns = data.buffer<std::uint32_t>("columns");
  const auto values = data.buffer<float>("values");
  const auto x = data.buffer<float>("x");
  const auto y = data.buffer<float>("y");
  const auto entry_rows = data.buffer<std::uint32_t>("entry_rows");
  const auto scattered = data.buffer<float>("scattered");
  for (std::size_t row = 0; row < y.size(); ++row) {
    double sum = 0.0;
    for (std::uint32_t e = first[row]; e < first[row] + length[row]; ++e) {
      sum += static_cast<double>(values[e]) * x[columns[e]];
    }
    y[row] = static_cast<float>(sum);
  }
  // The kernel with atomics uses the values from element y.size() on.
  std::vector<double> sums(scattered.size());
  for (std::size_t e = 0; e < entry_rows.size(); ++e) {
    sums[entry_rows[e]] += static_cast<double>(values[y.size() + e]) * x[columns[e]];
  }
  for (std::size_t row = 0; row < sums.size(); ++row) scattered[row] = static_cast<float>(sums[row]);
}

const KernelReference registered("spmv", &reference);

}  // namespace
}  // namespace heddle::kernels::spmv
