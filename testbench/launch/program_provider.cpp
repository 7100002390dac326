#include "testbench/launch/program_provider.h"

#include <utility>

#include "models/ptx/module.h"

namespace heddle::launch {

PtxPrograms::PtxPrograms(const std::string& ptx_file, Compile compile)
    : PtxPrograms(ptx::parse_module_file(ptx_file), std::move(compile)) {}

PtxPrograms::PtxPrograms(std::shared_ptr<const ptx::Module> module, Compile compile)
    : module_(std::move(module)), compile_(std::move(compile)) {}

const std::vector<isa::ModuleVariable>& PtxPrograms::variables() const { return module_->variables(); }

int PtxPrograms::address_bits() const { return module_->address_bits(); }

std::shared_ptr<const isa::Program> PtxPrograms::program(const std::string& kernel) {
  const std::string mangled = module_->resolve_kernel(kernel);
  auto& program = programs_[mangled];
  if (!program) {
    isa::Program made = ptx::lower_kernel(*module_, mangled);
    if (compile_) made = compile_(std::move(made));
    isa::bind_lane_functions(made);
    program = std::make_shared<const isa::Program>(std::move(made));
  }
  return program;
}

}  // namespace heddle::launch
