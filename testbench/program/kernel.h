#pragma once

// A kernel of a program that runs whole: parsed once, compiled once, launched often.

#include <memory>
#include <string>

#include "models/isa/program.h"
#include "models/ptx/module.h"

namespace heddle::program {

struct Kernel {
  std::string mangled, plain;
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const std::string> text;  ///< the module's PTX
  ptx::VariableSpace variables_at;          ///< where the module's variables begin
  std::shared_ptr<const isa::Program>
      parsed;  ///< for the reference, calls kept; nullptr until lower() was called
  std::shared_ptr<const isa::Program> compiled;  ///< nullptr until the first timed launch
  const isa::ModuleVariable* printf_buffer = nullptr;
  std::uint32_t stack_bytes = ptx::kDefaultStackBytes;  ///< a thread, of `parsed` and `compiled`

  /// With a stack of so many bytes for functions that call themselves. Throws Error for what the kernel has and Heddle
  /// does not run.
  void lower(std::uint32_t stack);
};

}  // namespace heddle::program
