#include <array>
#include <complex>
#include <numbers>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::fft {
namespace {

// Computes the discrete Fourier transform by its definition. The launch file transforms the signal forwards and then
// backwards. The result is the signal multiplied by its number of points.
void reference(KernelData& data) {
  const auto signal = data.buffer<float>("signal");
  const auto spectrum = data.buffer<float>("spectrum");
  const auto back_again = data.buffer<float>("back_again");
  constexpr std::size_t points = 256;
  std::array<std::complex<double>, points> turn;
  for (std::size_t k = 0; k < points; ++k) turn[k] = std::polar(1.0, -2.0 * std::numbers::pi * k / points);
  for (std::size_t at = 0; at < signal.size() / 2; ++at) {
    const std::size_t first = at / points * points;
    std::complex<double> sum;
    for (std::size_t k = 0; k < points; ++k) {
      sum += turn[k * (at % points) % points] *
             std::complex<double>(signal[2 * (first + k)], signal[2 * (first + k) + 1]);
    }
    spectrum[2 * at] = static_cast<float>(sum.real());
    spectrum[2 * at + 1] = static_cast<float>(sum.imag());
    back_again[2 * at] = signal[2 * at] * points;
    back_again[2 * at + 1] = signal[2 * at + 1] * points;
  }
}

const KernelReference registered("fft", &reference);

}  // namespace
}  // namespace heddle::kernels::fft
