#pragma once

// The device code of a program: fat binaries that its start-up code registers, and modules that the program
// loads. Kernels and variables are found by the handles that the host uses. PTX is parsed at its first use.

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

  /// Parses the PTX and allocates the variables, if this has not been done. Throws Error for data that is no
  /// device code, has no PTX or is malformed.
  void load(program::DeviceMemory& memory, ptx::VariableSpace& space);
  bool loaded() const { return module_ != nullptr; }
  const std::string& name() const { return name_; }
  /// Returns the architecture of the PTX, 75 for compute_75; 0 if the text names none. load() must have been
  /// called.
  int architecture() const { return architecture_; }
  const ptx::Module& module() const { return *module_; }
  /// Returns the kernel with a mangled name; nullptr if there is none. load() must have been called.
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

/// A kernel for which the host has a handle.
struct FunctionEntry {
  DeviceCode* code = nullptr;
  std::string mangled;
  /// Bytes of dynamic shared memory that the program has requested for the kernel; 0: none.
  int max_dynamic_shared = 0;
};

/// A device variable for which the host has a symbol.
struct VariableEntry {
  DeviceCode* code = nullptr;
  std::string name;
  void** managed = nullptr;  ///< the host's pointer to the variable, if it is managed
  /// the host's copy of a managed variable, in a program compiled by scripts/heddle-cc
  void* shadow = nullptr;
};

class Modules {
 public:
  explicit Modules(program::DeviceMemory& memory) : memory_(memory) {}

  /// Adds or removes device code. The fat binary must stay in memory until the program ends.
  DeviceCode* add(std::vector<const void*> images);
  void remove(DeviceCode* code);
  /// Returns the device code that start-up code has registered under a handle. Throws Refusal for another
  /// handle.
  DeviceCode* checked(void** handle) const;
  bool has(const DeviceCode* code) const { return codes_.contains(const_cast<DeviceCode*>(code)); }

  void add_function(DeviceCode* code, const void* host, const std::string& mangled);
  void add_variable(DeviceCode* code, const void* host, const std::string& name, void** managed);
  /// Declares that host variables in this address range are managed.
  void add_managed_section(char* begin, char* end) { managed_sections_.emplace_back(begin, end); }

  /// Finds a kernel by its handle, which is the address of the host's function or of the entry itself.
  /// Returns nullptr for another handle.
  FunctionEntry* function(const void* handle);
  /// Returns the entry of a kernel in loaded code; nullptr if the code has no kernel with this name.
  FunctionEntry* function_named(DeviceCode* code, const std::string& mangled);
  /// Returns a kernel, after loading its code if necessary. Throws Error for code that Heddle does not
  /// support.
  program::Kernel* kernel(const FunctionEntry& entry);

  /// Returns the device variable for a symbol of the host; nullptr if there is none.
  const isa::ModuleVariable* variable(const void* host);
  /// Parses all registered code and maps its managed variables for the host.
  void load_managed();
  void load(DeviceCode* code);
  /// Sets the minimum size of the heap for malloc in kernels. Throws Refusal if it is too large or the heap
  /// is already in use.
  void set_heap_bytes(std::uint64_t bytes);
  /// Returns the highest architecture among the program's PTX texts.
  int architecture();

 private:
  program::DeviceMemory& memory_;
  ptx::VariableSpace space_;
  unsigned names_ = 0;
  std::map<DeviceCode*, std::unique_ptr<DeviceCode>> codes_;
  std::vector<DeviceCode*> order_;
  std::map<const void*, std::unique_ptr<FunctionEntry>>
      functions_;  ///< kernels by their handles (the address of the host's function, or of the entry itself)
  std::set<const void*> entries_;
  std::map<const void*, VariableEntry> variables_;
  std::vector<std::pair<char*, char*>> managed_sections_;
  bool managed_loaded_ = true;
};

}  // namespace heddle::cudart
