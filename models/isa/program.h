#pragma once

// A kernel ready to execute: either as parsed (virtual registers, made by models/ptx) or as compiled
// (architected registers, made by models/compiler).

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "models/isa/runtime_call.h"

namespace heddle::isa {

inline constexpr std::uint64_t kInstructionBytes =
    8;  ///< the size of an instruction in memory (design: addresses)

struct KernelParameter {
  std::string name;
  std::uint32_t offset = 0;  ///< in the parameter block
  std::uint32_t bytes = 0;
  std::uint32_t align = 1;
  DataType type = DataType::none;  ///< b8 for arrays of bytes (structures)
};

/// A module-level variable that the kernel may name.
struct ModuleVariable {
  std::string name;
  Space space = Space::global;  ///< global or constant
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::vector<std::uint8_t> initial;  ///< the first of `bytes`; zeros follow
};

/// Hints of the compiler (passes register-sides, register-pairs) about a register's place in the rows of the
/// banks; formats of rows may use them.
struct RegisterHint {
  static constexpr std::uint16_t kNoPartner = 0xffff;
  bool left = false;                   ///< narrow values lie at the left, else at the right
  std::uint16_t partner = kNoPartner;  ///< register to share a row with, whose partner is this one
  bool operator==(const RegisterHint&) const = default;
};

struct Program {
  std::string kernel;             ///< mangled name
  std::string file;               ///< PTX file, for messages
  std::vector<Instruction> code;  ///< every path ends in exit
  std::uint32_t registers = 0;    ///< 32-bit words a thread
  /// The lowest of these, which a register file that renames registers leaves out (Jeon 2015, 7.1).
  std::uint32_t exempt_registers = 0;
  std::uint32_t exempt_warps = 0;  ///< as many warps may be resident with them
  std::uint32_t predicates = 0;
  bool architected = false;
  std::vector<RegisterHint> register_hints;  ///< by architected register, or empty
  std::vector<std::string> register_names;   ///< virtual programs: PTX name by word ("%rd3.lo"), else empty
  std::vector<std::string> predicate_names;
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t shared_bytes = 0;  ///< static shared memory of a CTA (dynamic memory follows, aligned to 16)
  std::uint32_t local_bytes = 0;   ///< local memory a thread (depot, then spill slots), multiple of 4
  std::uint32_t max_threads = 0;   ///< .maxntid/.reqntid product, 0 = none
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid, 0 = none
  std::vector<std::string> files;                 ///< from .file, index 0 unused
  std::vector<std::string>
      labels;  ///< label by instruction index, empty string = none (size code.size(), or 0)
  std::vector<RuntimeCall> runtime_calls;  ///< assert and printf
  /// Where the barrier of a cooperative grid counts (kGridWorkspace); 0: the kernel has none.
  std::uint64_t grid_workspace = 0;
  bool reads_time = false;       ///< %clock, %clock64, %globaltimer
  bool reads_placement = false;  ///< %smid, %warpid, %nsmid

  /// Registers, the most accessed first, as the compiler expects; empty: it says nothing.
  std::vector<std::uint32_t> register_ranks;

  std::uint64_t address_of(std::size_t index) const { return index * kInstructionBytes; }
  /// Cause of a trap: a failed assertion, or a trap of the kernel.
  std::string trap_text(const Instruction& trap) const {
    if (trap.payload != 0) return assertion_text(runtime_calls[trap.payload - 1]);
    return grid_workspace == 0 ? "trap"
                               : "trap (the grid's barrier ends kernels whose launch is not cooperative)";
  }
};

/// Points every instruction's lane_function at its arithmetic; throws Error (file:line:column, text) if the
/// combination of operation, type and modifiers has none.
void bind_lane_functions(Program& program);

}  // namespace heddle::isa
