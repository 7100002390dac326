#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::threadfence_sum {
namespace {

// The kernel is launched twice. The second launch receives the address of element 2 of the buffer b.
void reference(KernelData& data) {
  const auto a = data.buffer<double>("a");
  const auto b = data.buffer<double>("b");
  const auto result = data.buffer<double>("result");
  for (std::size_t launch = 0; launch < 2; ++launch) {
    long double sum = 0.0L;
    for (std::size_t i = 0; i + 2 * launch < a.size(); ++i)
      sum += static_cast<long double>(a[i]) * b[i + 2 * launch];
    result[launch] = static_cast<double>(sum);
  }
}

const KernelReference registered("threadfence_sum", &reference);

}  // namespace
}  // namespace heddle::kernels::threadfence_sum
