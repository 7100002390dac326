#include "tests/semantics/timed_run.h"

#include <memory>

#include "models/compiler/pipeline.h"
#include "models/core/stats.h"
#include "models/gpu/gpu.h"
#include "tests/support/simulation.h"

namespace heddle::semantics {

void execute_timed(const isa::KernelLaunch& launch, MemoryImage& memory) {
  const GpuParameters parameters;
  compiler::CompilerParameters limits;
  limits.max_registers = parameters.sm.max_registers_per_thread;
  auto program = std::make_shared<isa::Program>(compiler::compile(*launch.program, limits));
  isa::bind_lane_functions(*program);
  isa::KernelLaunch compiled = launch;
  compiled.program = program;

  const testing_support::Simulation simulation;
  StatsRegistry stats;
  Gpu::Options options;
  options.limits.deadlock_cycles = 20'000;
  options.limits.max_cycles = 2'000'000;
  Gpu gpu("gpu", parameters, memory, stats, options);
  gpu.run(compiled);
}

}  // namespace heddle::semantics
