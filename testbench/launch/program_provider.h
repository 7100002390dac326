#pragma once

// Provides one isa::Program for each kernel. The untimed reference gets the parsed program before all passes,
// the timed GPU the compiled program.

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
  /// Returns a kernel's program. `kernel`: the mangled name, or the plain name if only one kernel has this
  /// plain name. If several files have a kernel of this name: "FILE:name". Throws Error, which lists the
  /// kernels, for an unknown name.
  virtual std::shared_ptr<const isa::Program> program(const std::string& kernel) = 0;
  virtual const std::vector<isa::ModuleVariable>& variables() const = 0;
  /// Sets the size in bytes of a thread's stack, which recursive functions need; default: 1,024.
  virtual void set_stack_bytes(std::uint32_t) {}
  virtual int address_bits() const { return 64; }
};

/// Makes programs from PTX files. `compile` converts a parsed program to the program to execute. If `compile`
/// is empty, the parsed program is used.
class PtxPrograms : public ProgramProvider {
 public:
  using Compile = std::function<isa::Program(isa::Program parsed)>;
  explicit PtxPrograms(const std::string& ptx_file, Compile compile = {});
  explicit PtxPrograms(const std::vector<std::string>& ptx_files, Compile compile = {});
  explicit PtxPrograms(const LaunchFile& file, Compile compile = {});
  explicit PtxPrograms(std::shared_ptr<const ptx::Module> module, Compile compile = {});
  explicit PtxPrograms(ptx::Modules modules, Compile compile = {});

  std::shared_ptr<const isa::Program> program(const std::string& kernel) override;
  const std::vector<isa::ModuleVariable>& variables() const override;
  void set_stack_bytes(std::uint32_t bytes) override;
  /// Keep function calls in the program as calls where possible (ptx::Calls::kept). For the untimed
  /// reference.
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
