#include "testbench/cudart/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/core/error.h"
#include "models/isa/address_size.h"
#include "testbench/cudart/cuda_abi.h"
#include "testbench/cudart/fat_binary.h"
#include "testbench/cudart/linked_text.h"
#include "testbench/cudart/refusal.h"

namespace heddle::cudart {
namespace {

constexpr const char* kNeedsPtx =
    "device code with PTX: nvcc -gencode arch=compute_75,code=compute_75, or its default";

bool is_machine_code(const char* image) { return std::memcmp(image, "\177ELF", 4) == 0; }

int architecture_of(const std::string& target) {
  int number = 0;
  for (const char c : target.substr(std::min(target.find("sm_"), target.size()))) {
    if (c >= '0' && c <= '9')
      number = 10 * number + (c - '0');
    else if (number)
      break;
  }
  return number;
}

/// Returns the PTX text in an image of device code. Empty if the image is a fat binary without code.
std::string text_of(const void* data, const std::string& name) {
  const auto* const image = static_cast<const char*>(data);
  if (is_machine_code(image)) throw Error(name, "machine code, which only a GPU runs", kNeedsPtx);
  if (!is_fat_binary(image)) return image;
  const FatBinary binary = read_fat_binary(image, name);
  const PtxText* const best = best_text(binary);
  if (best) return best->text;
  if (binary.machine_code.empty()) return {};
  throw Error(name,
              fmt::format("only machine code of sm_{}, which only a GPU runs", binary.machine_code.front()),
              kNeedsPtx);
}

}  // namespace

std::string DeviceCode::text() {
  if (images_.size() == 1) return text_of(images_.front(), name_);
  // The program has code of several files (-rdc=true). The first image is machine code from the linker, and
  // each further image is the code of one file. NVIDIA's device runtime is left out.
  std::vector<std::string> files;
  for (std::size_t i = 1; i < images_.size(); ++i) {
    const FatBinary file = read_fat_binary(images_[i], name_);
    const PtxText* const best = best_text(file);
    if (best && best->text.find("cuda_device_runtime_cu") == std::string::npos) files.push_back(best->text);
  }
  if (files.empty()) throw Error(name_, "only linked machine code, which only a GPU runs", kNeedsPtx);
  return files.size() == 1 ? files.front() : linked_text(files);
}

void DeviceCode::load(program::DeviceMemory& memory, ptx::VariableSpace& space) {
  if (module_) return;
  std::string ptx = text();
  if (ptx.empty()) ptx = ".version 7.0\n.target sm_50\n.address_size 64\n";
  const isa::AddressLayout layout = isa::address_layout(isa::kWideAddressBits);
  if (space.global == 0) {
    space.global = layout.module_globals + isa::kAllocationGap;
    space.constant = isa::kConstWindow;
  }
  const ptx::VariableSpace begin = space;
  const auto module = ptx::parse_module(ptx, name_, space);
  if (module->address_bits() != 64) throw Error(name_, "addresses of 32 bits", "a program of 64 bits");
  memory.add_variables(module->variables());
  module_ = module;
  architecture_ = architecture_of(module->target());
  const auto kept = std::make_shared<const std::string>(std::move(ptx));
  for (const ptx::KernelName& name : module->kernels()) {
    auto kernel = std::make_unique<program::Kernel>();
    kernel->mangled = name.mangled;
    kernel->plain = name.plain;
    kernel->module = module_;
    kernel->text = kept;
    kernel->variables_at = begin;
    kernels_[name.mangled] = std::move(kernel);
  }
}

program::Kernel* DeviceCode::kernel(const std::string& mangled) {
  const auto found = kernels_.find(mangled);
  return found == kernels_.end() ? nullptr : found->second.get();
}

const isa::ModuleVariable* DeviceCode::variable(const std::string& name) const {
  for (const isa::ModuleVariable& variable : module_->variables())
    if (variable.name == name) return &variable;
  return nullptr;
}

DeviceCode* Modules::add(std::vector<const void*> images) {
  auto code = std::make_unique<DeviceCode>(fmt::format("device code {}", names_++), std::move(images));
  DeviceCode* const made = code.get();
  codes_[made] = std::move(code);
  order_.push_back(made);
  return made;
}

DeviceCode* Modules::checked(void** handle) const {
  auto* const code = static_cast<DeviceCode*>(static_cast<void*>(handle));
  if (!has(code)) refuse(cudaErrorInvalidResourceHandle, "no registered device code");
  return code;
}

void Modules::set_heap_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kUnit = 4096;
  constexpr std::uint64_t most = isa::most_heap_bytes(isa::kWideAddressBits);
  if (bytes > most)
    refuse(cudaErrorInvalidValue, fmt::format("a heap of {} bytes, more than {}", bytes, most));
  space_.heap_bytes = std::max((bytes + kUnit - 1) / kUnit * kUnit, ptx::kLeastHeapBytes);
  if (!memory_.resize_heap(space_.heap_bytes))
    refuse(cudaErrorInvalidValue, "another size for a heap that kernels have used");
}

void Modules::remove(DeviceCode* code) {
  std::erase_if(functions_, [&](const auto& entry) {
    if (entry.second->code != code) return false;
    entries_.erase(entry.second.get());
    return true;
  });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.code == code; });
  if (code->loaded()) memory_.remove_variables(code->module().variables());
  std::erase(order_, code);
  codes_.erase(code);
}

void Modules::add_function(DeviceCode* code, const void* host, const std::string& mangled) {
  auto entry = std::make_unique<FunctionEntry>(FunctionEntry{code, mangled, 0});
  if (const auto old = functions_.find(host); old != functions_.end()) entries_.erase(old->second.get());
  entries_.insert(entry.get());
  functions_[host] = std::move(entry);
}

void Modules::add_variable(DeviceCode* code, const void* host, const std::string& name, void** managed) {
  void* shadow = nullptr;
  const auto at = reinterpret_cast<std::uintptr_t>(host);
  for (const auto& [begin, end] : managed_sections_)
    if (const auto first = reinterpret_cast<std::uintptr_t>(begin);
        at >= first && at < reinterpret_cast<std::uintptr_t>(end))
      shadow = begin + (at - first);
  variables_[host] = {code, name, managed, shadow};
  if (managed || shadow) managed_loaded_ = false;
}

FunctionEntry* Modules::function(const void* handle) {
  if (entries_.contains(handle)) return static_cast<FunctionEntry*>(const_cast<void*>(handle));
  const auto found = functions_.find(handle);
  return found == functions_.end() ? nullptr : found->second.get();
}

FunctionEntry* Modules::function_named(DeviceCode* code, const std::string& mangled) {
  load(code);
  if (!code->kernel(mangled)) return nullptr;
  for (const auto& [host, entry] : functions_)
    if (entry->code == code && entry->mangled == mangled) return entry.get();
  auto entry = std::make_unique<FunctionEntry>(FunctionEntry{code, mangled, 0});
  FunctionEntry* const made = entry.get();
  entries_.insert(made);
  functions_[made] = std::move(entry);
  return made;
}

program::Kernel* Modules::kernel(const FunctionEntry& entry) {
  load(entry.code);
  return entry.code->kernel(entry.mangled);
}

const isa::ModuleVariable* Modules::variable(const void* host) {
  auto found = variables_.find(host);
  // Host code that nvcc compiled identifies a managed variable by the host address that the runtime has
  // assigned, not by the variable's symbol.
  if (found == variables_.end())
    found = std::find_if(variables_.begin(), variables_.end(), [host](const auto& entry) {
      return entry.second.managed && *entry.second.managed == host;
    });
  if (found == variables_.end()) return nullptr;
  load(found->second.code);
  return found->second.code->variable(found->second.name);
}

void Modules::load_managed() {
  if (managed_loaded_) return;
  managed_loaded_ = true;
  for (auto& [host, entry] : variables_) {
    if (!entry.managed && !entry.shadow) continue;
    const isa::ModuleVariable* const variable = this->variable(host);
    if (entry.shadow && variable && memory_.share_variable_at(variable->address, entry.shadow)) {
      entry.shadow = nullptr;
      continue;
    }
    if (entry.managed && variable && memory_.share_variable(variable->address))
      *entry.managed = reinterpret_cast<void*>(variable->address);  // NOLINT(performance-no-int-to-ptr)
    else
      throw Error(entry.code->name(),
                  "the managed variable " + entry.name + " cannot be shared with the host");
  }
}

void Modules::load(DeviceCode* code) { code->load(memory_, space_); }

int Modules::architecture() {
  int highest = 0;
  for (DeviceCode* const code : order_) {
    try {
      load(code);
    } catch (const Error&) {  // Ignored here: a launch of one of this code's kernels reports it.
      continue;
    }
    highest = std::max(highest, code->architecture());
  }
  return highest;
}

}  // namespace heddle::cudart
