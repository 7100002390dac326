#include "tests/fuzz/fuzz_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "models/compiler/pipeline.h"
#include "models/gpu/gpu.h"
#include "models/isa/address_map.h"
#include "models/memory/memory_parameters.h"
#include "models/ptx/module.h"
#include "testbench/analysis/analysis_set.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/program_provider.h"
#include "testbench/run/resident_warps.h"
#include "testbench/run/run_laws.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/simulation.h"

namespace heddle::fuzz {
namespace {

class Reference : public launch::LaunchExecutor {
 public:
  Reference(const RandomProgram& program, Coverage& coverage) : program_(program), coverage_(coverage) {}
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    reference::ReferenceOptions options;
    options.max_warp_instructions = 300'000;
    const auto result = reference::run_reference(launch, memory, options);
    coverage_.add(program_, *launch.program, result);
  }

 private:
  const RandomProgram& program_;
  Coverage& coverage_;
};

class Timed : public launch::LaunchExecutor {
 public:
  explicit Timed(Gpu& gpu) : gpu_(gpu) {}
  void launch(const isa::KernelLaunch& launch, MemoryImage&) override { gpu_.run(launch); }

 private:
  Gpu& gpu_;
};

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw Error(path.string(), "cannot be written");
}

}  // namespace

std::string difference(const MemoryImage& timed, const MemoryImage& reference) {
  for (const auto& expected : reference.allocations()) {
    if (expected->base >= isa::kLocalBacking) continue;
    const MemoryImage::Allocation* actual = timed.find_by_name(expected->name);
    if (!actual) return "no allocation " + expected->name;
    const auto [a, e] = std::mismatch(actual->data.begin(), actual->data.end(), expected->data.begin());
    if (e != expected->data.end())
      return fmt::format("{}: byte {} is {:#04x}, in the reference {:#04x}", expected->name,
                         e - expected->data.begin(), *a, *e);
  }
  return {};
}

FuzzCase make_case(std::uint64_t seed) { return {seed, random_program(seed), random_setting(seed)}; }

std::string run_case(const FuzzCase& fuzz, Coverage& coverage,
                     const std::function<void(isa::Program&)>& sabotage,
                     const std::function<void(Gpu&)>& built) try {
  run::RunParameters parameters = fuzz.setting.parameters();
  parameters.compiler.max_registers =
      std::min(parameters.compiler.max_registers, parameters.gpu.sm.max_registers_per_thread);
  const launch::LaunchFile file = launch::read_launch_text(fuzz.program.launch_json, "launch.json");
  const auto module = ptx::parse_module(fuzz.program.ptx, "program.ptx");

  launch::PtxPrograms parsed(module);
  parsed.keep_calls();
  MemoryImage expected;
  const BufferParameters buffers = buffer_parameters(parameters.gpu.memory);
  launch::LaunchRun reference_run(file, parsed, expected, buffers.buffer_base, buffers.wide_guards());
  reference_run.prepare();
  Reference reference(fuzz.program, coverage);
  reference_run.run(reference);

  Gpu* watched = nullptr;
  parameters.compiler.resident_warps = [&](const isa::Program& program) {
    return run::resident_warps(*watched, file, *module, program);
  };
  launch::PtxPrograms compiled(module, [&](const isa::Program& program) {
    isa::Program result = compiler::compile(program, parameters.compiler);
    if (sabotage) sabotage(result);
    return result;
  });
  MemoryImage actual;
  launch::LaunchRun timed_run(file, compiled, actual, buffers.buffer_base, buffers.wide_guards());
  timed_run.prepare();
  const testing_support::Simulation simulation;
  StatsRegistry stats;
  Gpu::Options options;
  options.every_cycle = parameters.watch.every_cycle;
  options.threads = parameters.watch.threads;
  options.shuffle_seed = parameters.watch.shuffle_seed;
  options.limits.deadlock_cycles = parameters.watch.deadlock_cycles;
  options.limits.max_cycles = parameters.watch.max_cycles;
  options.limits.interval_cycles = parameters.watch.interval_cycles;
  options.limits.on_interval = [&watched](Cycle cycle) { watched->settle(cycle); };
  Gpu gpu("gpu", parameters.gpu, actual, stats, options);
  watched = &gpu;
  if (built) built(gpu);
  const run::RunLaws laws(gpu);
  const analysis::AnalysisSet analyses(parameters.output.analyses, gpu);
  Timed timed(gpu);
  timed_run.run(timed);
  coverage.add_counters(stats);
  const std::string different = difference(actual, expected);
  return different.empty() ? testing_support::conservation_violations(gpu, stats) : different;
} catch (const std::exception& error) {
  return error.what();
}

void keep_case(const FuzzCase& fuzz, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const std::filesystem::path path(folder);
  write_file(path / "program.ptx", fuzz.program.ptx);
  write_file(path / "launch.json", fuzz.program.launch_json);
  write_file(path / "scenario.json", to_json(run::dump_scenario(fuzz.setting.parameters())) + "\n");
}

}  // namespace heddle::fuzz
