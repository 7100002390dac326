#include "row_kernel.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "kernel_text.h"
#include "models/isa/address_size.h"
#include "models/ptx/module.h"

namespace heddle::semantics {
namespace {

constexpr const char* kKernel = "row_kernel";

}  // namespace

RowKernel::RowKernel(const TableForm& form, std::size_t first, std::size_t count, std::uint64_t apart)
    : form_(form), ptx_(module_text(form, kKernel, first, count)) {
  place_program();
  const std::vector<std::uint8_t> inputs = input_bytes(form, first, count);
  auto& in = add_buffer("inputs", inputs.size(), 0, apart);
  std::copy(inputs.begin(), inputs.end(), in.data.begin());
  auto& out =
      add_buffer("outputs", count * static_cast<std::size_t>(layout_of(form.outputs).bytes), 1, apart);
  std::fill(out.data.begin(), out.data.end(), kUntouchedByte);
  add_buffer("scratch", count * static_cast<std::size_t>(form.scratch_bytes), 2, apart);
  for (std::size_t i = 0; i < form.parameters.size(); ++i) set_parameter(3 + i, form.parameters[i].bytes);
}

void RowKernel::place_program() {
  const auto module = ptx::parse_module(ptx_, form_.name + ".ptx");
  auto program = std::make_shared<isa::Program>(ptx::lower_kernel(*module, kKernel));
  isa::bind_lane_functions(*program);
  variables_ = module->variables();
  for (const isa::ModuleVariable& variable : variables_) {
    auto& memory = memory_.allocate_at(variable.name, variable.address, variable.bytes,
                                       variable.space == isa::Space::constant);
    std::copy(variable.initial.begin(), variable.initial.end(), memory.data.begin());
  }
  launch_.program = program;
  launch_.grid = {form_.grid[0], form_.grid[1], form_.grid[2]};
  launch_.block = {form_.block[0], form_.block[1], form_.block[2]};
  launch_.parameters.resize(program->parameter_bytes);
}

MemoryImage::Allocation& RowKernel::add_buffer(const std::string& name, std::size_t bytes,
                                               std::size_t parameter, std::uint64_t apart) {
  const std::uint64_t address = isa::address_layout(form_.address_bits).buffers + parameter * apart;
  std::vector<std::uint8_t> pointer(static_cast<std::size_t>(form_.address_bits) / 8);
  for (std::size_t i = 0; i < pointer.size(); ++i) pointer[i] = static_cast<std::uint8_t>(address >> (8 * i));
  set_parameter(parameter, pointer);
  return memory_.allocate_at(name, address, std::max<std::size_t>(bytes, 16));
}

void RowKernel::set_parameter(std::size_t index, const std::vector<std::uint8_t>& bytes) {
  const isa::KernelParameter& parameter = launch_.program->parameters.at(index);
  if (parameter.bytes != bytes.size())
    throw std::runtime_error(form_.name + ": parameter " + parameter.name +
                             " has another size than its bytes");
  std::copy(bytes.begin(), bytes.end(), launch_.parameters.begin() + parameter.offset);
}

}  // namespace heddle::semantics
