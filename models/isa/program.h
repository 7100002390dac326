#pragma once

// A kernel that can be executed. models/ptx makes it with virtual registers; models/compiler turns it into a
// program with architected registers.

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "models/isa/runtime_call.h"

namespace heddle::isa {

/// Bytes of an instruction in memory; gives instruction addresses.
inline constexpr std::uint64_t kInstructionBytes = 8;

struct KernelParameter {
  std::string name;
  std::uint32_t offset = 0;  ///< byte offset in the parameter block
  std::uint32_t bytes = 0;
  std::uint32_t align = 1;
  DataType type = DataType::none;  ///< b8 for arrays of bytes (structures)
  bool shared_pointer = false;     ///< declared .ptr .shared: an OpenCL __local argument
};

/// A module-level variable that the kernel may use.
struct ModuleVariable {
  std::string name;
  Space space = Space::global;  ///< global or constant
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::vector<std::uint8_t> initial;  ///< initial values of the first bytes; the rest is zero
};

/// Hints of the passes register-sides and register-pairs about the position of a register in the rows of the
/// banks. Entry formats may use them.
struct RegisterHint {
  static constexpr std::uint16_t kNoPartner = 0xffff;
  bool left = false;  ///< true: narrow values are stored at the left of the row; false: at the right
  std::uint16_t partner = kNoPartner;  ///< register that shares a row with this one (the relation is mutual)
  bool operator==(const RegisterHint&) const = default;
};

struct Program {
  std::string kernel;             ///< mangled name
  std::string file;               ///< PTX file, for messages
  std::vector<Instruction> code;  ///< every path ends in exit
  std::uint32_t registers = 0;    ///< 32-bit registers per thread
  /// Number of lowest registers that a renaming register file does not rename (Jeon 2015, 7.1).
  std::uint32_t exempt_registers = 0;
  std::uint32_t exempt_warps = 0;  ///< number of warps that may be resident with exempt registers
  /// The machine reads a register once if several source slots name it
  /// (gpu.sm.register_file.repeated_operand).
  bool repeats_read_once = false;
  std::uint32_t predicates = 0;
  bool architected = false;
  std::vector<RegisterHint> register_hints;  ///< by architected register, or empty
  std::vector<std::string> register_names;   ///< virtual programs: PTX name by word ("%rd3.lo"), else empty
  std::vector<std::string> predicate_names;
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  /// Static shared memory of a CTA; dynamic memory follows at the next multiple of 16.
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< local memory per thread (depot, then spill slots), a multiple of 4
  std::uint32_t max_threads = 0;  ///< product of .maxntid or .reqntid; 0 = none
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid, 0 = none
  std::vector<std::string> files;                 ///< from .file; index 0 is unused
  /// Label by instruction index, empty string = none; code.size() entries or none.
  std::vector<std::string> labels;
  std::vector<RuntimeCall> runtime_calls;  ///< assertions, printf formats and run-time failures
  /// Address of the cooperative grid's barrier counter (kGridWorkspace); 0 if the kernel uses none.
  std::uint64_t grid_workspace = 0;
  std::uint32_t sm = 0;  ///< number of the PTX target: 75 for sm_75; 0: unknown
  /// Bits kReadsTime and kReadsPlacement: the code reads special registers of the machine that executes it.
  std::uint8_t machine_reads = 0;

  /// Registers in descending order of accesses, as the compiler expects them; empty if no pass has computed
  /// the order.
  std::vector<std::uint32_t> register_ranks;

  static constexpr std::uint8_t kReadsTime = 1;       ///< %clock, %clock64 or %globaltimer
  static constexpr std::uint8_t kReadsPlacement = 2;  ///< %smid, %warpid or %nsmid
  bool reads_time() const { return machine_reads & kReadsTime; }
  bool reads_placement() const { return machine_reads & kReadsPlacement; }

  std::uint64_t address_of(std::size_t index) const { return index * kInstructionBytes; }
  /// Text for a trap: the failed assertion, or the trap instruction of the kernel.
  std::string trap_text(const Instruction& trap) const {
    if (trap.payload != 0) return assertion_text(runtime_calls[trap.payload - 1]);
    return grid_workspace == 0 ? "trap"
                               : "trap (the grid's barrier ends kernels whose launch is not cooperative)";
  }
};

/// Sets the lane_function of every arithmetic instruction. Throws Error (file:line:column, text) for a
/// combination of operation, type and modifiers that has no lane function.
void bind_lane_functions(Program& program);

}  // namespace heddle::isa
