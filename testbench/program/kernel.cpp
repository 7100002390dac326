#include "testbench/program/kernel.h"

#include "models/isa/runtime_call.h"

namespace heddle::program {

void Kernel::lower(std::uint32_t stack) {
  if (parsed && stack == stack_bytes) return;
  stack_bytes = stack;
  compiled.reset();
  isa::Program made = ptx::lower_kernel(*module, mangled, stack, ptx::Calls::kept);
  isa::bind_lane_functions(made);
  parsed = std::make_shared<const isa::Program>(std::move(made));
  for (const isa::ModuleVariable& variable : module->variables())
    if (variable.name == isa::kPrintfBuffer) printf_buffer = &variable;
}

}  // namespace heddle::program
