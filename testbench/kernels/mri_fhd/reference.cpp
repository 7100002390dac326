#include <complex>
#include <numbers>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::mri_fhd {
namespace {

void reference(KernelData& data) {
  const auto trajectory = data.buffer<float>("trajectory_data");
  const auto phi = data.buffer<float>("phi"), measured = data.buffer<float>("measured");
  const auto product = data.buffer<float>("product"), fhd = data.buffer<float>("fhd");
  const auto x = data.buffer<float>("x"), y = data.buffer<float>("y"), z = data.buffer<float>("z");
  const auto complex_at = [](std::span<const float> of, std::size_t i) {
    return std::complex<double>(of[2 * i], of[2 * i + 1]);
  };
  const auto put = [](std::span<float> to, std::size_t i, std::complex<double> value) {
    to[2 * i] = static_cast<float>(value.real());
    to[2 * i + 1] = static_cast<float>(value.imag());
  };
  for (std::size_t k = 0; k < phi.size() / 2; ++k)
    put(product, k, std::conj(complex_at(phi, k)) * complex_at(measured, k));
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::complex<double> sum;
    for (std::size_t k = 0; k < phi.size() / 2; ++k) {
      const double turns = static_cast<double>(trajectory[4 * k]) * x[i] +
                           static_cast<double>(trajectory[4 * k + 1]) * y[i] +
                           static_cast<double>(trajectory[4 * k + 2]) * z[i];
      sum += complex_at(product, k) * std::polar(1.0, 2.0 * std::numbers::pi * turns);
    }
    put(fhd, i, sum);
  }
}

const KernelReference registered("mri_fhd", &reference);

}  // namespace
}  // namespace heddle::kernels::mri_fhd
