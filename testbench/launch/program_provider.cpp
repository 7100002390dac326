#include "testbench/launch/program_provider.h"

#include <utility>

#include "models/core/error.h"
#include "models/ptx/module.h"
#include "testbench/launch/new_file.h"

namespace heddle::launch {

PtxPrograms::PtxPrograms(const std::string& ptx_file, Compile compile)
    : PtxPrograms(ptx::parse_module_file(ptx_file), std::move(compile)) {}

PtxPrograms::PtxPrograms(const std::vector<std::string>& ptx_files, Compile compile)
    : PtxPrograms(ptx::parse_module_files(ptx_files), std::move(compile)) {}

PtxPrograms::PtxPrograms(const LaunchFile& file, Compile compile)
    : PtxPrograms(ptx::parse_module_files(file.ptx, file.variables_at), std::move(compile)) {
  for (std::size_t i = 0; i < file.ptx_hash.size(); ++i)
    if (file.ptx_hash[i] != hash_of_file(file.ptx[i]))
      throw Error(file.path, file.ptx[i] + " is not the program that \"ptx_hash\" names",
                  "that program; a launch file without \"ptx_hash\"");
}

PtxPrograms::PtxPrograms(std::shared_ptr<const ptx::Module> module, Compile compile)
    : PtxPrograms(ptx::Modules{std::move(module)}, std::move(compile)) {}

PtxPrograms::PtxPrograms(ptx::Modules modules, Compile compile)
    : modules_(std::move(modules)), compile_(std::move(compile)) {
  for (const auto& module : modules_)
    variables_.insert(variables_.end(), module->variables().begin(), module->variables().end());
}

const std::vector<isa::ModuleVariable>& PtxPrograms::variables() const { return variables_; }

int PtxPrograms::address_bits() const { return module()->address_bits(); }

/// Returns the module that defines a kernel, and sets `mangled` to the kernel's mangled name.
const ptx::Module& PtxPrograms::module_of(const std::string& kernel, std::string& mangled) const {
  if (modules_.size() == 1) {
    mangled = module()->resolve_kernel(kernel);
    return *module();
  }
  const std::size_t colon = kernel.find(".ptx:");
  const std::string file = colon == std::string::npos ? "" : kernel.substr(0, colon + 4);
  const std::string name = colon == std::string::npos ? kernel : kernel.substr(colon + 5);
  const ptx::Module* found = nullptr;
  std::string files, last;
  for (const auto& module : modules_) {
    files += (files.empty() ? "" : ", ") + module->file();
    if (!file.empty() && !module->file().ends_with(file)) continue;
    std::string here;
    try {
      here = module->resolve_kernel(name);
    } catch (const Error& error) {
      last = error.what();
      continue;
    }
    if (found)
      throw Error("", "the kernel \"" + name + "\" is in several files",
                  found->file() + ":" + name + " or " + module->file() + ":" + name);
    found = module.get();
    mangled = here;
  }
  if (!found) throw Error("", "no kernel \"" + kernel + "\" in " + files + " (" + last + ")");
  return *found;
}

void PtxPrograms::set_stack_bytes(std::uint32_t bytes) {
  if (bytes != stack_bytes_) programs_.clear();
  stack_bytes_ = bytes;
}

std::shared_ptr<const isa::Program> PtxPrograms::program(const std::string& kernel) {
  std::string mangled;
  const ptx::Module& module = module_of(kernel, mangled);
  auto& program = programs_[module.file() + ":" + mangled];
  if (!program) {
    isa::Program made = ptx::lower_kernel(module, mangled, stack_bytes_,
                                          keeps_calls_ ? ptx::Calls::kept : ptx::Calls::lowered);
    if (compile_) made = compile_(std::move(made));
    isa::bind_lane_functions(made);
    program = std::make_shared<const isa::Program>(std::move(made));
  }
  return program;
}

}  // namespace heddle::launch
