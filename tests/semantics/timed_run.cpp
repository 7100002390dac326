#include "tests/semantics/timed_run.h"

#include <memory>
#include <systemc>

#include "models/compiler/pipeline.h"
#include "models/core/stats.h"
#include "models/gpu/gpu.h"

namespace heddle::semantics {

namespace {

/// SystemC elaborates once a simulation: every GPU gets a new one. The one that exists at the start is never
/// deleted.
class Simulation {
 public:
  Simulation() : before_(sc_core::sc_curr_simcontext), own_(std::make_unique<sc_core::sc_simcontext>()) {
    use(own_.get());
  }
  ~Simulation() {
    own_.reset();
    use(before_);
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

 private:
  static void use(sc_core::sc_simcontext* context) {
    sc_core::sc_curr_simcontext = context;
    sc_core::sc_default_global_context = context;
  }
  sc_core::sc_simcontext* before_;
  std::unique_ptr<sc_core::sc_simcontext> own_;
};

}  // namespace

void execute_timed(const isa::KernelLaunch& launch, MemoryImage& memory) {
  const GpuParameters parameters;
  compiler::CompilerParameters limits;
  limits.max_registers = parameters.sm.max_registers_per_thread;
  auto program = std::make_shared<isa::Program>(compiler::compile(*launch.program, limits));
  isa::bind_lane_functions(*program);
  isa::KernelLaunch compiled = launch;
  compiled.program = program;

  const Simulation simulation;
  StatsRegistry stats;
  Gpu::Options options;
  options.limits.deadlock_cycles = 20'000;
  options.limits.max_cycles = 2'000'000;
  Gpu gpu("gpu", parameters, memory, stats, options);
  gpu.run(compiled);
}

}  // namespace heddle::semantics
