#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::laplace_3d {
namespace {

// The result equals the kernel's in every bit, because no operations of the kernel could be fused.
void reference(KernelData& data) {
  const auto grid = data.buffer<float>("grid");
  const auto nx = data.integer("nx"), ny = data.integer("ny"), nz = data.integer("nz");
  for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
    const std::vector<float> old(grid.begin(), grid.end());
    for (std::int64_t z = 1; z < nz - 1; ++z)
      for (std::int64_t y = 1; y < ny - 1; ++y)
        for (std::int64_t x = 1; x < nx - 1; ++x) {
          const auto beside = [&](std::int64_t dx, std::int64_t dy, std::int64_t dz) {
            return old[static_cast<std::size_t>(((z + dz) * ny + y + dy) * nx + x + dx)];
          };
          const float sum = (beside(-1, 0, 0) + beside(1, 0, 0)) + (beside(0, -1, 0) + beside(0, 1, 0)) +
                            (beside(0, 0, -1) + beside(0, 0, 1));
          grid[static_cast<std::size_t>((z * ny + y) * nx + x)] = sum * (1.0f / 6.0f);
        }
  }
}

const KernelReference registered("laplace_3d", &reference);

}  // namespace
}  // namespace heddle::kernels::laplace_3d
