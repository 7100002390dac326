#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::mandelbrot {
namespace {

std::uint16_t iterations(float c_real, float c_imaginary, std::int64_t limit) {
  float real = 0.0f;
  float imaginary = 0.0f;
  std::int64_t count = 0;
  for (; count < limit; ++count) {
    const float real_squared = real * real;
    const float imaginary_squared = imaginary * imaginary;
    if (real_squared + imaginary_squared > 4.0f) break;
    imaginary = std::fma(2.0f * real, imaginary, c_imaginary);
    real = (real_squared - imaginary_squared) + c_real;
  }
  return static_cast<std::uint16_t>(count);
}

// The result equals the kernel's in every bit, because the reference fuses the same operations as the kernel.
void reference(KernelData& data) {
  const auto counts = data.buffer<std::uint16_t>("counts");
  const auto width = data.integer("width");
  const float left = static_cast<float>(data.number("left"));
  const float top = static_cast<float>(data.number("top"));
  const float step = static_cast<float>(data.number("step"));
  const auto limit = data.integer("limit");
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(counts.size()); ++i) {
    counts[i] = iterations(std::fma(static_cast<float>(i % width), step, left),
                           std::fma(static_cast<float>(i / width), -step, top), limit);
  }
}

const KernelReference registered("mandelbrot", &reference);

}  // namespace
}  // namespace heddle::kernels::mandelbrot
