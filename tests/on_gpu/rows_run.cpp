#include "tests/on_gpu/rows_run.h"

#include <algorithm>
#include <stdexcept>

#include "models/isa/address_map.h"
#include "models/ptx/module.h"
#include "tests/on_gpu/gpu_executor.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::on_gpu {

namespace {
constexpr const char* kKernel = "row_kernel";
constexpr std::uint64_t kApart = 0x8000'0000;  ///< from a buffer to the next
constexpr unsigned kThreads = 256;
}  // namespace

void spread_rows(semantics::TableForm& form) {
  while (form.rows.size() % kThreads != 0) form.rows.push_back(form.rows.back());
  form.block = {kThreads, 1, 1};
  form.grid = {static_cast<unsigned>(form.rows.size() / kThreads), 1, 1};
}

RowsRun::RowsRun(const semantics::TableForm& form)
    : form_(form), ptx_(semantics::module_text(form, kKernel, 0, form.rows.size())) {
  const auto module = ptx::parse_module(ptx_, form.name + ".ptx");
  auto program = std::make_shared<isa::Program>(ptx::lower_kernel(*module, kKernel));
  isa::bind_lane_functions(*program);
  variables_ = module->variables();
  for (const isa::ModuleVariable& variable : variables_) {
    auto& memory = memory_.allocate_at(variable.name, variable.address, variable.bytes,
                                       variable.space == isa::Space::constant);
    std::copy(variable.initial.begin(), variable.initial.end(), memory.data.begin());
  }
  launch_.program = program;
  launch_.grid = {form.grid[0], form.grid[1], form.grid[2]};
  launch_.block = {form.block[0], form.block[1], form.block[2]};
  launch_.parameters.resize(program->parameter_bytes);
  const std::size_t rows = form.rows.size();
  const auto bytes_of = [rows](int stride) { return rows * static_cast<std::size_t>(stride); };
  add_buffer("inputs", bytes_of(semantics::layout_of(form.inputs).bytes), 0, 0);
  const std::vector<std::uint8_t> inputs = semantics::input_bytes(form, 0, rows);
  std::copy(inputs.begin(), inputs.end(), memory_.at(isa::kBuffers, inputs.size(), "inputs"));
  add_buffer("outputs", bytes_of(semantics::layout_of(form.outputs).bytes), 1, semantics::kUntouchedByte);
  add_buffer("scratch", bytes_of(form.scratch_bytes), 2, 0);
  for (std::size_t i = 0; i < form.parameters.size(); ++i) set_parameter(3 + i, form.parameters[i].bytes);
}

void RowsRun::add_buffer(const std::string& name, std::size_t bytes, std::size_t parameter,
                         std::uint8_t fill) {
  const std::uint64_t address = isa::kBuffers + parameter * kApart;
  auto& buffer = memory_.allocate_at(name, address, std::max<std::size_t>(bytes, 16));
  std::fill(buffer.data.begin(), buffer.data.end(), fill);
  std::vector<std::uint8_t> pointer(sizeof address);
  for (std::size_t i = 0; i < pointer.size(); ++i) pointer[i] = static_cast<std::uint8_t>(address >> (8 * i));
  set_parameter(parameter, pointer);
}

void RowsRun::set_parameter(std::size_t index, const std::vector<std::uint8_t>& bytes) {
  const isa::KernelParameter& parameter = launch_.program->parameters.at(index);
  if (parameter.bytes != bytes.size()) throw std::runtime_error(form_.name + ": a parameter of another size");
  std::copy(bytes.begin(), bytes.end(), launch_.parameters.begin() + parameter.offset);
}

std::vector<std::uint8_t> RowsRun::run(launch::LaunchExecutor& executor) const {
  MemoryImage memory = memory_;
  return run(executor, memory);
}

std::vector<std::uint8_t> RowsRun::run(launch::LaunchExecutor& executor, MemoryImage& memory) const {
  executor.launch(launch_, memory);
  return memory.find_by_name("outputs")->data;
}

std::vector<std::uint8_t> run_on_gpu(const Driver& gpu, const RowsRun& run) {
  if (gpu.replays()) return gpu.noted(run.memory().find_by_name("outputs")->data.size());
  GpuExecutor executor(gpu, {run.ptx()}, run.variables());
  std::vector<std::uint8_t> outputs = run.run(executor);
  gpu.note(outputs);
  return outputs;
}

}  // namespace heddle::on_gpu
