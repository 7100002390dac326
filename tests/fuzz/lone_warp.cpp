#include "tests/fuzz/lone_warp.h"

#include <functional>

#include "models/compiler/pipeline.h"
#include "models/gpu/gpu.h"
#include "models/memory/memory_parameters.h"
#include "models/ptx/module.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/program_provider.h"
#include "tests/support/counts.h"
#include "tests/support/simulation.h"

namespace heddle::fuzz {
namespace {

class Executes : public launch::LaunchExecutor {
 public:
  explicit Executes(std::function<void(const isa::KernelLaunch&, MemoryImage&)> run) : run_(std::move(run)) {}
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override { run_(launch, memory); }

 private:
  std::function<void(const isa::KernelLaunch&, MemoryImage&)> run_;
};

class IssuedInstructions : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  explicit IssuedInstructions(std::set<std::uint32_t>& into) : into_(&into) {}
  void write(const LifeEvent& event) override {
    if (event.what == Life::issued && event.mask != 0) into_->insert(event.pc);
  }

 private:
  std::set<std::uint32_t>* into_;
};

}  // namespace

LoneWarp::LoneWarp(const RandomProgram& program, RandomSetting setting)
    : parameters_(setting.parameters()),
      file_(launch::read_launch_text(program.launch_json, "launch.json")),
      module_(ptx::parse_module(program.ptx, "program.ptx")) {
  setting.sets.push_back("gpu.sm.register_file.operands.checked=true");
  checked_ = setting.parameters();
  const BufferParameters buffers = buffer_parameters(parameters_.gpu.memory);
  launch::PtxPrograms parsed(module_);
  parsed.keep_calls();
  launch::LaunchRun reference(file_, parsed, expected_, buffers.buffer_base, buffers.wide_guards());
  reference.prepare();
  Executes executes([](const isa::KernelLaunch& launch, MemoryImage& memory) {
    reference::run_reference(launch, memory, {});
  });
  reference.run(executes);
  launch::PtxPrograms compiled(module_, [this](const isa::Program& program) {
    return compiler::compile(program, parameters_.compiler);
  });
  compiled_ = *compiled.program("fuzz");
}

LoneOutcome LoneWarp::run(const isa::Program& changed, bool checked) const {
  const GpuParameters& machine = (checked ? checked_ : parameters_).gpu;
  launch::PtxPrograms programs(module_, [&](const isa::Program&) { return changed; });
  MemoryImage actual;
  const BufferParameters buffers = buffer_parameters(machine.memory);
  launch::LaunchRun timed(file_, programs, actual, buffers.buffer_base, buffers.wide_guards());
  timed.prepare();
  const testing_support::Simulation simulation;
  StatsRegistry stats;
  Gpu::Options options;
  options.limits.deadlock_cycles = parameters_.watch.deadlock_cycles;
  options.limits.max_cycles = parameters_.watch.max_cycles;
  Gpu gpu("gpu", machine, actual, stats, options);
  LoneOutcome outcome;
  IssuedInstructions listener(outcome.executed);
  gpu.sm(0).events.bind(listener);
  gpu.sm(0).observe_events({Life::issued});
  Executes executes([&gpu](const isa::KernelLaunch& launch, MemoryImage&) { gpu.run(launch); });
  try {
    timed.run(executes);
    outcome.difference = difference(actual, expected_);
  } catch (const std::exception& error) {
    outcome.difference = error.what();
  }
  outcome.reuse_hits = testing_support::sum_of(stats, ".read_window.reuse_hits_a") +
                       testing_support::sum_of(stats, ".read_window.reuse_hits_b") +
                       testing_support::sum_of(stats, ".read_window.reuse_hits_c");
  return outcome;
}

}  // namespace heddle::fuzz
