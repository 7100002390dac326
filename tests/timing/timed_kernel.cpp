#include "tests/timing/timed_kernel.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "models/compiler/analyses/reconvergence.h"
#include "models/compiler/pipeline.h"
#include "models/gpu/gpu.h"
#include "models/isa/address_map.h"
#include "models/ptx/module.h"
#include "testbench/run/gpu_preset.h"
#include "tests/support/simulation.h"

namespace heddle::timing {
namespace {

class IssueListener : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  explicit IssueListener(std::vector<Issue>& into) : into_(&into) {}
  void write(const LifeEvent& event) override {
    if (event.what == Life::issued) into_->push_back({event.cycle, event.warp.value, event.pc, event.mask});
  }

 private:
  std::vector<Issue>* into_;
};

std::string module_text(const Machine& machine, const std::string& body) {
  std::string words;
  for (const std::uint32_t word : machine.table)
    words += fmt::format("{}{}", words.empty() ? "" : ", ", word);
  return fmt::format(
      ".version 8.4\n.target sm_89\n.address_size 64\n"
      ".const .align 16 .b32 table[1024] = {{{}}};\n"
      ".visible .entry probe(.param .u64 buffer)\n{{\n"
      ".reg .b32 %r<64>;\n.reg .b64 %rd<32>;\n.reg .f32 %f<32>;\n.reg .f64 %d<16>;\n.reg .pred %p<8>;\n"
      ".shared .align 16 .b8 tile[{}];\n{}\nexit;\n}}\n",
      words, machine.shared_bytes, body);
}

GpuParameters parameters_of(const Machine& machine) {
  ConfigNode tree = preset_tree(machine.preset);
  set_config(tree, "sms=1");
  for (const std::string& assignment : machine.set) set_config(tree, assignment);
  GpuParameters parameters;
  read_fields(tree, parameters);
  return parameters;
}

// Numbers the registers in the order of first use, so that the text of the PTX determines which banks are
// accessed.
isa::Program as_written(isa::Program program) {
  compiler::set_reconvergence(program, compiler::ControlFlow(program), compiler::ExitRule::leave);
  program.architected = true;
  return program;
}

std::shared_ptr<isa::Program> program_of(const Machine& machine, const ptx::Module& module, int registers) {
  const isa::Program parsed = ptx::lower_kernel(module, module.resolve_kernel("probe"));
  compiler::CompilerParameters compiler;
  compiler.max_registers = registers;
  auto program = std::make_shared<isa::Program>(machine.clean_up ? compiler::compile(parsed, compiler)
                                                                 : as_written(parsed));
  program->repeats_read_once = parameters_of(machine).sm.register_file.repeated_operand == "once";
  if (machine.edit) machine.edit(*program);
  isa::bind_lane_functions(*program);
  return program;
}

}  // namespace

ConfigNode preset_tree(const std::string& preset) {
  std::vector<std::string> files;
  return run::read_gpu_preset(ConfigNode::make_string(preset), files);
}

Measured measure(const Machine& machine, const std::string& body) {
  const auto module = ptx::parse_module(module_text(machine, body), "probe.ptx");
  const GpuParameters parameters = parameters_of(machine);
  MemoryImage image;
  for (const isa::ModuleVariable& variable : module->variables()) {
    auto& memory = image.allocate_at(variable.name, variable.address, variable.bytes, true);
    std::copy(variable.initial.begin(), variable.initial.end(), memory.data.begin());
  }
  const std::uint64_t base = isa::kBuffers;
  auto& buffer = image.allocate_at("buffer", base, machine.buffer.size() * 4);
  std::memcpy(buffer.data.data(), machine.buffer.data(), buffer.data.size());

  isa::KernelLaunch launch;
  launch.program = program_of(machine, *module, parameters.sm.max_registers_per_thread);
  launch.grid = {machine.ctas, 1, 1};
  launch.block = {machine.threads, 1, 1};
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &base, 8);

  const testing_support::Simulation simulation;
  StatsRegistry stats;
  Measured measured;
  IssueListener listener(measured.issues);
  Gpu::Options options;
  options.every_cycle = machine.every_cycle;
  options.limits.deadlock_cycles = 20'000;
  options.limits.max_cycles = machine.max_cycles;
  Gpu gpu("gpu", parameters, image, stats, options);
  if (machine.observe) {
    gpu.sm(0).events.bind(listener);
    gpu.sm(0).observe_events();
  }
  measured.cycles = gpu.run(launch).cycles;
  for (const CounterInfo& info : stats.counters())
    measured.counters[info.full_name()] = info.counter->value();
  measured.buffer.resize(machine.buffer.size());
  std::memcpy(measured.buffer.data(), image.at(base, buffer.bytes, "probe"), buffer.bytes);
  return measured;
}

std::vector<Cycle> Measured::of_warp(std::uint32_t warp) const {
  std::vector<Cycle> found;
  for (const Issue& issue : issues)
    if (issue.warp == warp) found.push_back(issue.cycle);
  return found;
}

Cycle Measured::first_at(std::uint32_t pc) const {
  for (const Issue& issue : issues)
    if (issue.pc == pc) return issue.cycle;
  throw std::runtime_error(fmt::format("no instruction issued at {}", pc));
}

Cycle Measured::last_at(std::uint32_t pc) const {
  Cycle last = kNever;
  for (const Issue& issue : issues)
    if (issue.pc == pc) last = issue.cycle;
  if (last == kNever) throw std::runtime_error(fmt::format("no instruction issued at {}", pc));
  return last;
}

std::uint64_t Measured::count(const std::string& name) const {
  const auto it = counters.find(name);
  if (it == counters.end()) throw std::runtime_error("no counter " + name);
  return it->second;
}

std::string repeated(int n, const std::string& line) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    std::string one = line;
    for (std::size_t at = one.find('@'); at != std::string::npos; at = one.find('@'))
      one.replace(at, 1, std::to_string(i));
    text += one + "\n";
  }
  return text;
}

}  // namespace heddle::timing
