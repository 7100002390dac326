#pragma once

// The PTX front end: text in, virtual programs out (PTX ISA 3.2 to 9, `.address_size` 64 or 32, as nvcc and clang
// write it). Parsing is lazy: what is unknown or not supported is an error only for a kernel that uses it.
//
//   const auto module = parse_module_file("kernel.ptx");
//   const isa::Program program = lower_kernel(*module, module->resolve_kernel("vector_add"));
//
// What the program promises:
// - Instructions stand in the order written, on virtual registers numbered in 32-bit words in order of first
//   use; predicates apart; the condition code of add.cc and its kin is the predicate "cc".
// - `.func` calls are inlined: `ret` of a function is a branch after its body, a guarded call a branch
//   around it. Call parameters become registers where every access touches the same pieces of them, else
//   local memory.
// - Local variables lie at isa::kLocalWindow, static shared memory (only what the kernel uses) at
//   isa::kSharedWindow, dynamic shared memory after it aligned to 16 or more, module variables where
//   variables() says. Addresses appear as immediates; ld.param of a kernel addresses isa::kParamWindow plus
//   the offset.
// - The address of a function is a number that only names it; a call through it compares it with those of the functions
//   that it may mean (.calltargets, or the prototype) and inlines each.
// - With Calls::kept, for the untimed reference alone, calls through registers and of functions that may call themselves stay
//   calls (models/isa/kept_calls.h).
// - Functions that may call themselves stand once after the kernel, with frames in local memory after its other local
//   memory (call_stack.h). A frame that does not fit `stack_bytes` ends the kernel with an error.
// - A narrow destination keeps its register's width in Operand::bits: ld and cvt extend to it by
//   the sign of the type.
// - brx.idx becomes a chain of compares and branches.
// - malloc and free of the run time are code of heap_library.h, inlined like functions of the module.
// - Accepted and without effect: `.L1::`, `.L2::` and cache-policy hints, createpolicy (its policy is 0), applypriority, discard, pmevent,
//   griddepcontrol, brkpt (there is no debugger); they become `nop` where they are instructions.
//   prefetch stays.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/program.h"
#include "models/ptx/kernel_name.h"
#include "models/ptx/variable_space.h"

namespace heddle::ptx {

struct ModuleData;

class Module {
 public:
  explicit Module(std::unique_ptr<ModuleData> data);
  ~Module();

  const std::string& version() const;  ///< ".version", such as "7.5"
  const std::string& target() const;   ///< ".target", such as "sm_75, debug"
  const std::string& file() const;
  int address_bits() const;                        ///< ".address_size": 32 or 64
  const std::vector<KernelName>& kernels() const;  ///< in the order written

  /// All .global and .const variables of the module, laid out, with initial contents. Variables that need
  /// another file (unsized extern ones) or features that are not supported are left out; extern ones of known
  /// size are zero. Sorted by address.
  const std::vector<isa::ModuleVariable>& variables() const;

  /// Mangled name of the kernel that `name` means: a mangled name, or a plain one (bare, qualified, with or
  /// without template arguments or parameters) where it fits one kernel only. Throws Error that lists the
  /// kernels.
  std::string resolve_kernel(std::string_view name) const;

  const ModuleData& data() const { return *data_; }  ///< for the front end itself

 private:
  std::unique_ptr<ModuleData> data_;
};

/// Throws Error (file:line:column) for text that has not the structure of a PTX module.
std::shared_ptr<const Module> parse_module(std::string_view text, const std::string& file_name);
/// The same of a module that joins a program: its variables begin at `space`, which moves after them.
std::shared_ptr<const Module> parse_module(std::string_view text, const std::string& file_name,
                                           VariableSpace& space);
/// As parse_module; throws Error if the file cannot be read.
std::shared_ptr<const Module> parse_module_file(const std::string& path);

using Modules = std::vector<std::shared_ptr<const Module>>;
/// Several files of one program: their variables lie one after the other, and what one declares `.extern` is
/// where another defines it. Throws Error for files with pointers of different width.
Modules parse_module_files(const std::vector<std::string>& paths, VariableSpace space = {});

/// For functions that call themselves, a thread: CUDA's default of cudaLimitStackSize.
inline constexpr std::uint32_t kDefaultStackBytes = 1024;

/// Treatment of calls through registers and of functions that may call themselves.
enum class Calls : std::uint8_t {
  lowered,  ///< compares, branches, loads and stores: what a machine executes
  /// Keeps calls, if the kernel has any and if values exchanged between lanes in recursive functions do not
  /// depend on the lanes that are together; otherwise as above. For the untimed reference only.
  kept
};

/// The virtual program of a kernel (mangled name, as resolve_kernel gives it), without lane functions bound
/// and reconvergence points set. Throws Error (file:line:column, text, what is supported instead).
isa::Program lower_kernel(const Module& module, const std::string& mangled_name,
                          std::uint32_t stack_bytes = kDefaultStackBytes, Calls calls = Calls::lowered);

}  // namespace heddle::ptx
