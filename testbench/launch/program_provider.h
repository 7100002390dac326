#pragma once

// Provides the programs that launches need: one isa::Program for each kernel, made once. The untimed
// reference gets programs as parsed. The timed GPU gets compiled programs.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/launch_format.h"

namespace heddle::ptx {
class Module;
using Modules = std::vector<std::shared_ptr<const Module>>;
}  // namespace heddle::ptx

namespace heddle::launch {

class ProgramProvider {
 public:
  virtual ~ProgramProvider() = default;
  /// Returns the program of a kernel. `kernel` is its mangled name, its plain name if only one kernel has it,
  /// or "FILE:name" if several files have it. Throws Error, which lists the kernels, for an unknown name.
  virtual std::shared_ptr<const isa::Program> program(const std::string& kernel) = 0;
  /// Returns the module-level variables of .const and .global space.
  virtual const std::vector<isa::ModuleVariable>& variables() const = 0;
  /// Sets the stack per thread in bytes for recursive functions (ptx::lower_kernel); default: 1,024.
  virtual void set_stack_bytes(std::uint32_t) {}
  /// Returns the width of the program's pointers in bits, 32 or 64.
  virtual int address_bits() const { return 64; }
};

/// Makes programs from PTX files and binds their lane functions. `compile` (optional) turns a parsed program
/// into the program that runs.
class PtxPrograms : public ProgramProvider {
 public:
  using Compile = std::function<isa::Program(isa::Program parsed)>;
  explicit PtxPrograms(const std::string& ptx_file, Compile compile = {});
  explicit PtxPrograms(const std::vector<std::string>& ptx_files, Compile compile = {});
  /// Makes the programs of a launch file, with module variables at the addresses that the file gives.
  explicit PtxPrograms(const LaunchFile& file, Compile compile = {});
  explicit PtxPrograms(std::shared_ptr<const ptx::Module> module, Compile compile = {});
  explicit PtxPrograms(ptx::Modules modules, Compile compile = {});

  std::shared_ptr<const isa::Program> program(const std::string& kernel) override;
  const std::vector<isa::ModuleVariable>& variables() const override;
  void set_stack_bytes(std::uint32_t bytes) override;
  /// True, for the untimed reference: calls of functions stay calls where possible (ptx::Calls::kept).
  void keep_calls() { keeps_calls_ = true; }
  int address_bits() const override;
  const ptx::Modules& modules() const { return modules_; }
  const std::shared_ptr<const ptx::Module>& module() const { return modules_.front(); }

 private:
  const ptx::Module& module_of(const std::string& kernel, std::string& mangled) const;

  ptx::Modules modules_;
  std::vector<isa::ModuleVariable> variables_;
  Compile compile_;
  std::uint32_t stack_bytes_ = 1024;
  bool keeps_calls_ = false;
  std::map<std::string, std::shared_ptr<const isa::Program>> programs_;
};

}  // namespace heddle::launch
