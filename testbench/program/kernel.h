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
  std::shared_ptr<const std::string> text;  ///< PTX text of the kernel's module
  ptx::VariableSpace variables_at;          ///< addresses from which the module's variables are placed
  std::shared_ptr<const isa::Program>
      /// Program as parsed, for the untimed reference (function calls stay calls); nullptr before lower() is
      /// called.
      parsed;
  std::shared_ptr<const isa::Program> compiled;  ///< compiled program; nullptr until the first timed launch
  const isa::ModuleVariable* printf_buffer = nullptr;
  /// Bytes of dynamic shared memory that cudaFuncSetAttribute has granted; 0: none.
  std::uint32_t granted_shared_bytes = 0;
  /// Bytes of stack per thread, for which `parsed` and `compiled` were made.
  std::uint32_t stack_bytes = ptx::kDefaultStackBytes;

  /// Parses the kernel for a stack of this many bytes per thread (for recursive functions). Throws Error for
  /// code that Heddle does not support.
  void lower(std::uint32_t stack);
};

}  // namespace heddle::program
