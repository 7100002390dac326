#pragma once

// The device code of a program: fat binaries that the program's start-up code registers, and modules that the
// program loads. Addresses in the host program (handles) identify kernels and variables. PTX is parsed when
// it is first used.

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

  /// Parses the PTX and allocates its variables. Later calls do nothing. Throws Error if there is no PTX or
  /// the PTX is malformed.
  void load(program::DeviceMemory& memory, ptx::VariableSpace& space);
  bool loaded() const { return module_ != nullptr; }
  const std::string& name() const { return name_; }
  /// Returns the architecture of the PTX, such as 75 for compute_75; 0 if the PTX names none. Call load()
  /// before.
  int architecture() const { return architecture_; }
  const ptx::Module& module() const { return *module_; }
  /// Returns a kernel; nullptr if there is none of this name. Call load() before.
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

struct FunctionEntry {
  DeviceCode* code = nullptr;
  std::string mangled;
  /// Dynamic shared memory in bytes that the program has requested for the kernel; 0: none.
  int max_dynamic_shared = 0;
};

struct VariableEntry {
  DeviceCode* code = nullptr;
  std::string name;
  void** managed = nullptr;  ///< the host's pointer to the variable, if the variable is managed
  /// the host's copy of a managed variable; only in a program compiled by scripts/heddle-cc
  void* shadow = nullptr;
};

class Modules {
 public:
  explicit Modules(program::DeviceMemory& memory) : memory_(memory) {}

  /// Adds or removes device code. The fat binary must stay in memory until the program ends.
  DeviceCode* add(std::vector<const void*> images);
  void remove(DeviceCode* code);
  /// Returns the registered device code of a handle. Throws Refusal for an unknown handle.
  DeviceCode* checked(void** handle) const;
  bool has(const DeviceCode* code) const { return codes_.contains(const_cast<DeviceCode*>(code)); }

  void add_function(DeviceCode* code, const void* host, const std::string& mangled);
  void add_variable(DeviceCode* code, const void* host, const std::string& name, void** managed);
  void add_managed_section(char* begin, char* end) { managed_sections_.emplace_back(begin, end); }

  /// Finds a kernel by its handle. The handle is the address of the host's function, or of the kernel's
  /// FunctionEntry. Returns nullptr for an unknown handle.
  FunctionEntry* function(const void* handle);
  FunctionEntry* function_named(DeviceCode* code, const std::string& mangled);
  /// Returns a kernel. If its code has not been loaded yet, loads it. Throws Error for unsupported code.
  program::Kernel* kernel(const FunctionEntry& entry);

  const isa::ModuleVariable* variable(const void* host);
  /// Parses all registered code, and maps the managed variables in it so that the host can access them.
  void load_managed();
  void load(DeviceCode* code);
  /// Sets the smallest size of the heap for malloc in kernels. Throws Refusal if the size is too large, or if
  /// the heap is in use.
  void set_heap_bytes(std::uint64_t bytes);
  int architecture();

 private:
  program::DeviceMemory& memory_;
  ptx::VariableSpace space_;
  unsigned names_ = 0;
  std::map<DeviceCode*, std::unique_ptr<DeviceCode>> codes_;
  std::vector<DeviceCode*> order_;
  /// kernels by handle: the address of the host's function, or of the FunctionEntry
  std::map<const void*, std::unique_ptr<FunctionEntry>> functions_;
  std::set<const void*> entries_;
  std::map<const void*, VariableEntry> variables_;
  std::vector<std::pair<char*, char*>> managed_sections_;
  bool managed_loaded_ = true;
};

}  // namespace heddle::cudart
