#pragma once

// A kernel of a CUDA program. It is parsed and compiled once, and may be launched many times.

#include <memory>
#include <string>

#include "models/isa/program.h"
#include "models/ptx/module.h"

namespace heddle::program {

struct Kernel {
  std::string mangled, plain;
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const std::string> text;
  ptx::VariableSpace variables_at;  ///< first global and first constant address of the module's variables
  /// the program before all compiler passes, for the untimed reference; nullptr before lower()
  std::shared_ptr<const isa::Program> parsed;
  std::shared_ptr<const isa::Program> compiled;
  const isa::ModuleVariable* printf_buffer = nullptr;
  /// dynamic shared memory in bytes that cudaFuncSetAttribute permits for the kernel; 0: not set
  std::uint32_t granted_shared_bytes = 0;
  /// stack size in bytes per thread for which `parsed` and `compiled` were made
  std::uint32_t stack_bytes = ptx::kDefaultStackBytes;

  /// Parses the kernel again for a stack of this many bytes per thread. Throws Error for unsupported code.
  void lower(std::uint32_t stack);
};

}  // namespace heddle::program
