#include "tests/determinism/small_run.h"

#include <cstring>
#include <memory>

#include "models/compiler/pipeline.h"
#include "models/isa/address_map.h"
#include "models/ptx/module.h"
#include "models/reference/reference.h"
#include "testbench/run/scenario.h"
#include "tests/support/simulation.h"

namespace heddle::small_run {
namespace {

struct Prepared {
  MemoryImage memory;
  isa::KernelLaunch launch;
  std::shared_ptr<isa::Program> program;
};

Prepared prepare(const Request& request) {
  const std::string text =
      ".version 7.5\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n" +
      request.body + "\n}\n";
  Prepared p;
  p.program = std::make_shared<isa::Program>(ptx::lower_kernel(*ptx::parse_module(text, "k.ptx"), "k"));
  isa::bind_lane_functions(*p.program);
  p.memory.allocate_at("out", out_address(), kWords * 4);
  auto& in = p.memory.allocate_at("in", in_address(), kWords * 4);
  for (std::uint32_t w = 0; w < kWords; ++w) {
    const std::uint32_t value = 1000 + w;
    std::memcpy(in.data.data() + std::size_t{w} * 4, &value, 4);
  }
  p.launch.program = p.program;
  p.launch.grid = {1, 1, 1};
  p.launch.block = {request.threads, 1, 1};
  const std::uint64_t parameters[] = {out_address(), in_address()};
  p.launch.parameters.resize(16);
  std::memcpy(p.launch.parameters.data(), parameters, 16);
  return p;
}

std::vector<std::uint32_t> words_of(MemoryImage& memory) {
  std::vector<std::uint32_t> words(kWords);
  std::memcpy(words.data(), memory.at(out_address(), kWords * 4, "test"), kWords * 4);
  return words;
}

}  // namespace

std::uint64_t out_address() { return isa::kBuffers; }
std::uint64_t in_address() { return isa::kBuffers + 0x10'0000; }

Outcome run_timed(const Request& request) {
  Prepared p = prepare(request);
  run::ScenarioRequest scenario;
  scenario.gpu = request.preset;
  scenario.sets = request.sets;
  scenario.sets.emplace_back("gpu.sms=1");
  const run::RunParameters parameters = run::read_scenario(scenario);
  auto compiled = std::make_shared<isa::Program>(compiler::compile(*p.program, parameters.compiler));
  isa::bind_lane_functions(*compiled);
  p.launch.program = compiled;

  const testing_support::Simulation simulation;
  StatsRegistry stats;
  Gpu::Options options;
  options.limits.deadlock_cycles = parameters.watch.deadlock_cycles;
  if (parameters.watch.max_cycles) options.limits.max_cycles = parameters.watch.max_cycles;
  options.between = request.between;
  options.availability = request.availability;
  Gpu gpu("gpu", parameters.gpu, p.memory, stats, options);
  if (request.inspect) request.inspect(gpu);
  bool disturbed = !request.disturb;
  gpu.sm(0).clock().observe([&](Cycle cycle) {
    if (disturbed || cycle < request.at) return;
    disturbed = true;
    request.disturb(gpu, *compiled);
  });
  const Gpu::Result result = gpu.run(p.launch);
  if (!disturbed) throw Error("small_run", "the kernel ended before it was disturbed");
  return {words_of(p.memory), result.cycles};
}

std::vector<std::uint32_t> run_reference(const Request& request) {
  Prepared p = prepare(request);
  reference::run_reference(p.launch, p.memory);
  return words_of(p.memory);
}

}  // namespace heddle::small_run
