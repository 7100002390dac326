#pragma once

// The device code of a program: the fat binaries that its start-up code registers, and modules that it loads
// itself. Kernels and variables are found by the host's handles. PTX is parsed at first use.

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

  /// Parses the PTX and allocates the variables, once. Throws Error for data that is no device code, has no
  /// PTX or is malformed.
  void load(program::DeviceMemory& memory, ptx::VariableSpace& space);
  bool loaded() const { return module_ != nullptr; }
  const std::string& name() const { return name_; }
  /// Returns 75 for compute_75; 0 if the text names no architecture. Requires loaded code.
  int architecture() const { return architecture_; }
  const ptx::Module& module() const { return *module_; }
  /// Returns the kernel of a mangled name; nullptr if there is none. Requires loaded code.
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

/// A kernel that the host names.
struct FunctionEntry {
  DeviceCode* code = nullptr;
  std::string mangled;
  int max_dynamic_shared = 0;  ///< bytes, as the program has set it; 0: not set
};

/// A variable that the host names.
struct VariableEntry {
  DeviceCode* code = nullptr;
  std::string name;
  void** managed = nullptr;  ///< the host's pointer to a managed variable
  /// The host's copy of a managed variable, in a program that scripts/heddle-cc compiled.
  void* shadow = nullptr;
};

class Modules {
 public:
  explicit Modules(program::DeviceMemory& memory) : memory_(memory) {}

  /// Adds or removes device code. The images must stay valid until the program ends.
  DeviceCode* add(std::vector<const void*> images);
  void remove(DeviceCode* code);
  /// The device code of a handle of start-up code. Throws Refusal if it is none.
  DeviceCode* checked(void** handle) const;
  bool has(const DeviceCode* code) const { return codes_.contains(const_cast<DeviceCode*>(code)); }

  void add_function(DeviceCode* code, const void* host, const std::string& mangled);
  void add_variable(DeviceCode* code, const void* host, const std::string& name, void** managed);
  /// Marks host variables in this range as managed.
  void add_managed_section(char* begin, char* end) { managed_sections_.emplace_back(begin, end); }

  /// Finds a kernel by the host's function, or by the entry itself. Returns nullptr if the handle is neither.
  FunctionEntry* function(const void* handle);
  /// Returns the entry for a kernel of loaded code; nullptr if the code has no kernel of this name.
  FunctionEntry* function_named(DeviceCode* code, const std::string& mangled);
  /// Returns the kernel with its code loaded. Throws Error for code that Heddle does not run.
  program::Kernel* kernel(const FunctionEntry& entry);

  /// Returns the variable of the host's symbol, or nullptr.
  const isa::ModuleVariable* variable(const void* host);
  /// Parses all registered code and maps its managed variables for the host.
  void load_managed();
  void load(DeviceCode* code);
  /// Sets the minimum size of the heap for malloc in kernels. Throws Refusal if it is too large or the heap
  /// is already in use.
  void set_heap_bytes(std::uint64_t bytes);
  /// Returns the highest architecture that the program was compiled for.
  int architecture();

 private:
  program::DeviceMemory& memory_;
  ptx::VariableSpace space_;
  unsigned names_ = 0;
  std::map<DeviceCode*, std::unique_ptr<DeviceCode>> codes_;
  std::vector<DeviceCode*> order_;
  std::map<const void*, std::unique_ptr<FunctionEntry>>
      functions_;  ///< kernels by the host's function, or by the entry itself
  std::set<const void*> entries_;
  std::map<const void*, VariableEntry> variables_;
  std::vector<std::pair<char*, char*>> managed_sections_;
  bool managed_loaded_ = true;
};

}  // namespace heddle::cudart
