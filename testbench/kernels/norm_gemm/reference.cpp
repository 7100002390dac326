#include <array>

#include "testbench/kernels/kernel_reference.h"
#include "testbench/kernels/matrix_reference.h"

namespace heddle::kernels::norm_gemm {
namespace {

constexpr std::size_t kWidth = 64, kLanes = 32;

// Adds the values of all lanes in the kernel's order. In the first step, each lane adds the value of the lane whose
// number is its own number XOR 16. The next steps use XOR 8, 4, 2 and 1.
float sum_of_lanes(std::array<float, kLanes> v) {
  for (std::size_t distance = 16; distance > 0; distance /= 2) {
    std::array<float, kLanes> next;
    for (std::size_t lane = 0; lane < kLanes; ++lane) next[lane] = v[lane] + v[lane ^ distance];
    v = next;
  }
  return v[0];
}

// Normalises a row. Uses the kernel's order of operations, because the rounding to bfloat16 depends on the
// last bit.
std::array<float, kWidth> normalised(std::span<const float> in, std::span<const float> scale,
                                     std::span<const float> shift) {
  std::array<float, kWidth> v;
  std::array<float, kLanes> sums, squares;
  for (std::size_t i = 0; i < kWidth; ++i) v[i] = static_cast<float>(brain(in[i]));
  for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] = v[2 * lane] + v[2 * lane + 1];
  const float mean = sum_of_lanes(sums) * (1.0f / kWidth);
  for (float& value : v) value -= mean;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    squares[lane] = std::fma(v[2 * lane + 1], v[2 * lane + 1], v[2 * lane] * v[2 * lane]);
  const float factor = 1.0f / std::sqrt(sum_of_lanes(squares) * (1.0f / kWidth) + 1e-5f);
  for (std::size_t i = 0; i < kWidth; ++i)
    v[i] = static_cast<float>(brain(std::fma(v[i] * factor, scale[i], shift[i])));
  return v;
}

void reference(KernelData& data) {
  const auto in = data.buffer<float>("in"), scale = data.buffer<float>("scale"),
             shift = data.buffer<float>("shift"), bias = data.buffer<float>("bias"),
             out = data.buffer<float>("out");
  const auto columns = static_cast<std::size_t>(data.integer("columns"));
  std::vector<float> rows;
  for (std::size_t at = 0; at < in.size(); at += kWidth) {
    const auto row = normalised(in.subspan(at, kWidth), scale, shift);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  const std::vector<double> sums = product(rows, data.buffer<float>("weights"), columns, kWidth, brain);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(sums[i] + bias[i % columns]);
}

const KernelReference registered("norm_gemm", &reference);

}  // namespace
}  // namespace heddle::kernels::norm_gemm
