#include "testbench/run/resident_warps.h"

#include <algorithm>

namespace heddle::run {

int resident_warps(Gpu& gpu, const launch::LaunchFile& file, const ptx::Module& module,
                   const isa::Program& program) {
  isa::KernelLaunch launch;
  launch.program = std::shared_ptr<const isa::Program>(std::shared_ptr<const isa::Program>(), &program);
  int most = 1;
  for (const launch::LaunchShape& shape : launch::launch_shapes(file)) {
    if (module.resolve_kernel(shape.kernel) != program.kernel) continue;
    launch.block = shape.block;
    launch.dynamic_shared_bytes = shape.shared_bytes;
    const auto ctas = std::min<std::uint64_t>(
        static_cast<std::uint64_t>(gpu.dispatcher().ctas_per_sm(launch)), shape.grid.count());
    most = std::max(most, static_cast<int>(ctas * launch.warps_per_cta()));
  }
  return most;
}

}  // namespace heddle::run
