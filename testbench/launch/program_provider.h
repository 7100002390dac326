#pragma once

// Where the programs of a launch come from: one isa::Program a kernel, made once. A reference run takes them
// as parsed, a timed run as compiled.

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
  /// The program of a kernel, by mangled name or by plain name where that is unambiguous; after "FILE:" where
  /// several files have one. Throws Error that
  /// lists the kernels for an unknown name.
  virtual std::shared_ptr<const isa::Program> program(const std::string& kernel) = 0;
  /// The module-level variables of .const and .global space.
  virtual const std::vector<isa::ModuleVariable>& variables() const = 0;
  /// For frames of functions that call themselves (ptx::lower_kernel); 1,024 unless said.
  virtual void set_stack_bytes(std::uint32_t) {}
  /// Width of the program's pointers, 32 or 64.
  virtual int address_bits() const { return 64; }
};

/// Programs from PTX files, with their lane functions bound. `compile` (optional) turns a parsed program
/// into the one that is to run.
class PtxPrograms : public ProgramProvider {
 public:
  using Compile = std::function<isa::Program(isa::Program parsed)>;
  explicit PtxPrograms(const std::string& ptx_file, Compile compile = {});
  explicit PtxPrograms(const std::vector<std::string>& ptx_files, Compile compile = {});
  /// Those of a launch file, its variables where it says.
  explicit PtxPrograms(const LaunchFile& file, Compile compile = {});
  explicit PtxPrograms(std::shared_ptr<const ptx::Module> module, Compile compile = {});
  explicit PtxPrograms(ptx::Modules modules, Compile compile = {});

  std::shared_ptr<const isa::Program> program(const std::string& kernel) override;
  const std::vector<isa::ModuleVariable>& variables() const override;
  void set_stack_bytes(std::uint32_t bytes) override;
  /// For the untimed reference: calls stay calls where they can (ptx::Calls::kept).
  void keep_calls() { keeps_calls_ = true; }
  int address_bits() const override;
  const ptx::Modules& modules() const { return modules_; }
  /// The first one.
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
