#include <complex>
#include <numbers>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::mri_q {
namespace {

void reference(KernelData& data) {
  const auto trajectory = data.buffer<float>("trajectory_data");
  const auto phi = data.buffer<float>("phi");
  const auto x = data.buffer<float>("x");
  const auto y = data.buffer<float>("y");
  const auto z = data.buffer<float>("z");
  const auto magnitude = data.buffer<float>("magnitude");
  const auto q = data.buffer<float>("q");
  for (std::size_t k = 0; k < magnitude.size(); ++k) {
    magnitude[k] = static_cast<float>(std::norm(std::complex<double>(phi[2 * k], phi[2 * k + 1])));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::complex<double> sum;
    for (std::size_t k = 0; k < magnitude.size(); ++k) {
      const double turns = static_cast<double>(trajectory[4 * k]) * x[i] +
                           static_cast<double>(trajectory[4 * k + 1]) * y[i] +
                           static_cast<double>(trajectory[4 * k + 2]) * z[i];
      sum += std::polar(1.0, 2.0 * std::numbers::pi * turns) * static_cast<double>(magnitude[k]) *
             static_cast<double>(trajectory[4 * k + 3]);
    }
    q[2 * i] = static_cast<float>(sum.real());
    q[2 * i + 1] = static_cast<float>(sum.imag());
  }
}

const KernelReference registered("mri_q", &reference);

}  // namespace
}  // namespace heddle::kernels::mri_q
