#pragma once

// The PTX front end: translates PTX text, as nvcc and clang write it (PTX ISA 3.2 to 9, `.address_size` 64 or 32), to
// programs on virtual registers. Unknown or unsupported PTX is an error only if the translated kernel uses it.
//
//   const auto module = parse_module_file("kernel.ptx");
//   const isa::Program program = lower_kernel(*module, module->resolve_kernel("vector_add"));
//
// Properties of the translated program:
// - Instructions keep the order of the text. Virtual registers are 32-bit words, numbered in order of first use;
//   predicates are numbered separately. The condition code of add.cc and similar instructions is the predicate "cc".
// - Calls of functions are inlined. `ret` of a function becomes a branch past its body. A guarded call
//   becomes a branch around the body. A call parameter is moved to registers if all accesses divide it into
//   the same pieces. Otherwise it is in local memory.
// - Local variables are at isa::kLocalWindow, static shared memory that the kernel uses at isa::kSharedWindow. Dynamic
//   shared memory follows, aligned to at least 16 bytes. variables() gives the addresses of module variables. Addresses
//   are immediates; ld.param of a kernel addresses isa::kParamWindow plus the offset.
// - The address of a function is a number that only identifies it. A call through a register compares the
//   register with the numbers of the possible callees (.calltargets, or functions of the prototype) and inlines
//   each callee.
// - With Calls::kept, which only the untimed reference uses, indirect calls and calls of recursive functions
//   are kept: the reference executes them as calls (models/isa/kept_calls.h).
// - The code of recursive functions follows the kernel's code (call_stack.h). Their frames are in local
//   memory after the other local variables. A frame that exceeds `stack_bytes` ends the kernel with an error.
// - If a destination register is wider than the type, Operand::bits is the width of the register. ld and cvt extend
//   the value by the sign of the type.
// - brx.idx becomes a chain of compares and branches.
// - malloc and free are the functions of heap_library.h, inlined like functions of the module.
// - Without effect: `.L1::`, `.L2::` and cache-policy hints, createpolicy (its result is 0), applypriority, discard,
//   pmevent, griddepcontrol and brkpt. Instructions among these become `nop`.

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

  const std::string& version() const;
  const std::string& target() const;
  const std::string& file() const;
  int address_bits() const;
  const std::vector<KernelName>& kernels() const;

  /// Returns the .global and .const variables of the module with addresses and initial contents, sorted by
  /// address. Leaves out variables with unsupported features, and extern variables without a size, which
  /// another file defines.
  const std::vector<isa::ModuleVariable>& variables() const;

  /// Returns the mangled name of the kernel that `name` names: a mangled name, or a plain name that only one
  /// kernel has. A plain name may include namespaces, template arguments and parameters. Throws Error with a
  /// list of the kernels if there is no such kernel.
  std::string resolve_kernel(std::string_view name) const;

  const ModuleData& data() const { return *data_; }

 private:
  std::unique_ptr<ModuleData> data_;
};

/// Parses PTX text. Throws Error (file:line:column) if the text does not have the structure of a PTX module.
std::shared_ptr<const Module> parse_module(std::string_view text, const std::string& file_name);
/// Parses one of several modules of a program. `space`: next free addresses, at which the variables of the
/// module are placed. Advances `space` past these variables.
std::shared_ptr<const Module> parse_module(std::string_view text, const std::string& file_name,
                                           VariableSpace& space);
std::shared_ptr<const Module> parse_module_file(const std::string& path);

using Modules = std::vector<std::shared_ptr<const Module>>;
/// Parses the PTX files of one program. Their variables are placed one after the other. An `.extern`
/// declaration refers to the definition in another file. Throws Error if the files have pointers of different
/// width.
Modules parse_module_files(const std::vector<std::string>& paths, VariableSpace space = {});

/// Default size of a thread's stack for recursive functions, in bytes: CUDA's default of cudaLimitStackSize.
inline constexpr std::uint32_t kDefaultStackBytes = 1024;

enum class Calls : std::uint8_t {
  lowered,  ///< Calls become compares, branches, loads and stores, which the timed SM can execute.
  /// Calls stay calls, and the program contains notes for checks (models/isa/check_notes.h). Only the untimed
  /// reference can execute such programs. Exception: if a recursive function exchanges values between lanes,
  /// all calls are translated as for `lowered`.
  kept
};

/// Translates a kernel to a program with virtual registers, without lane functions and reconvergence points.
/// `mangled_name`: result of resolve_kernel(). Throws Error (file:line:column, text, and what is supported
/// instead).
isa::Program lower_kernel(const Module& module, const std::string& mangled_name,
                          std::uint32_t stack_bytes = kDefaultStackBytes, Calls calls = Calls::lowered);

}  // namespace heddle::ptx
