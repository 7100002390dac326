#include "testbench/program/kernel.h"

#include "models/isa/runtime_call.h"

namespace heddle::program {

void Kernel::lower() {
  if (parsed) return;
  isa::Program made = ptx::lower_kernel(*module, mangled);
  isa::bind_lane_functions(made);
  parsed = std::make_shared<const isa::Program>(std::move(made));
  for (const isa::ModuleVariable& variable : module->variables())
    if (variable.name == isa::kPrintfBuffer) printf_buffer = &variable;
}

}  // namespace heddle::program
