#pragma once

// The device code of a program: fat binaries as its start-up code registers them, or as it loads them itself; their
// kernels and variables by the host's handles. PTX is parsed when something of it is asked for.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/ptx/module.h"
#include "testbench/program/device_memory.h"
#include "testbench/program/kernel.h"

namespace heddle::cudart {

class DeviceCode {
 public:
  DeviceCode(std::string name, std::vector<const void*> images)
      : name_(std::move(name)), images_(std::move(images)) {}

  /// Parses the PTX and places the variables, once. Throws Error for what is no device code, has no PTX or is malformed.
  void load(program::DeviceMemory& memory, ptx::VariableSpace& space);
  bool loaded() const { return module_ != nullptr; }
  const std::string& name() const { return name_; }
  /// 75 for compute_75; 0 for a text that does not say. Known once it is loaded.
  int architecture() const { return architecture_; }
  const ptx::Module& module() const { return *module_; }
  /// By mangled name; nullptr if there is none. Loaded code alone.
  program::Kernel* kernel(const std::string& mangled);
  const isa::ModuleVariable* variable(const std::string& name) const;

 private:
  std::string text();

  std::string name_;
  std::vector<const void*> images_;
  int architecture_ = 0;
  std::shared_ptr<const ptx::Module> module_;
  std::map<std::string, std::unique_ptr<program::Kernel>> kernels_;
};

/// A kernel as the host names it.
struct FunctionEntry {
  DeviceCode* code = nullptr;
  std::string mangled;
  int max_dynamic_shared = 0;  ///< as the program has set it; 0: not
};

/// A variable as the host names it.
struct VariableEntry {
  DeviceCode* code = nullptr;
  std::string name;
  void** managed = nullptr;  ///< the host's pointer to a managed variable
  void* shadow = nullptr;    ///< the host's own place of one that scripts/heddle-cc compiled
};

class Modules {
 public:
  explicit Modules(program::DeviceMemory& memory) : memory_(memory) {}

  /// Both take what the program keeps for as long as it runs.
  DeviceCode* add(std::vector<const void*> images);
  void remove(DeviceCode* code);
  bool has(const DeviceCode* code) const { return codes_.contains(const_cast<DeviceCode*>(code)); }

  void add_function(DeviceCode* code, const void* host, const std::string& mangled);
  void add_variable(DeviceCode* code, const void* host, const std::string& name, void** managed);
  /// Variables whose place on the host lies here are managed.
  void add_managed_section(char* begin, char* end) { managed_sections_.emplace_back(begin, end); }

  /// By the host's function, or by the entry itself; nullptr for neither.
  FunctionEntry* function(const void* handle);
  /// An entry for a kernel of code that was loaded; nullptr if it has none of this name.
  FunctionEntry* function_named(DeviceCode* code, const std::string& mangled);
  /// Throws Error for code that Heddle does not run.
  program::Kernel* kernel(const FunctionEntry& entry);

  /// The variable by the host's symbol, or nullptr.
  const isa::ModuleVariable* variable(const void* host);
  /// Parses what is registered, and hands managed variables to the host.
  void load_managed();
  void load(DeviceCode* code);
  /// Of malloc in kernels, at least; throws Refusal for what is too much, or too late.
  void set_heap_bytes(std::uint64_t bytes);
  /// The highest architecture that the program was compiled for.
  int architecture();

 private:
  program::DeviceMemory& memory_;
  ptx::VariableSpace space_;
  unsigned names_ = 0;
  std::map<DeviceCode*, std::unique_ptr<DeviceCode>> codes_;
  std::vector<DeviceCode*> order_;
  std::map<const void*, std::unique_ptr<FunctionEntry>> functions_;  ///< by the host's function, or by itself
  std::set<const void*> entries_;
  std::map<const void*, VariableEntry> variables_;
  std::vector<std::pair<char*, char*>> managed_sections_;
  bool managed_loaded_ = true;
};

}  // namespace heddle::cudart
