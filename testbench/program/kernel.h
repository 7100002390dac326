#pragma once

// A kernel of a whole program: parsed once, compiled once, launched many times.

#include <memory>
#include <string>

#include "models/isa/program.h"
#include "models/ptx/module.h"

namespace heddle::program {

struct Kernel {
  std::string mangled, plain;
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const std::string> text;  ///< PTX of the module
  ptx::VariableSpace variables_at;          ///< first addresses of the module's variables
  std::shared_ptr<const isa::Program>
      parsed;  ///< program for the reference, with calls kept; nullptr until lower() was called
  std::shared_ptr<const isa::Program> compiled;  ///< compiled program; nullptr until the first timed launch
  const isa::ModuleVariable* printf_buffer = nullptr;
  /// Bytes of dynamic shared memory that cudaFuncSetAttribute has granted; 0: none.
  std::uint32_t granted_shared_bytes = 0;
  /// Bytes of a thread's stack, in `parsed` and `compiled`.
  std::uint32_t stack_bytes = ptx::kDefaultStackBytes;

  /// Parses the kernel with a stack of this many bytes for recursive functions. Throws Error for code that
  /// Heddle does not run.
  void lower(std::uint32_t stack);
};

}  // namespace heddle::program
