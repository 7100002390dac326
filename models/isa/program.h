#pragma once

// A kernel that can be executed. models/ptx parses PTX into a program with virtual registers. models/compiler
// turns it into a program with architected registers.

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "models/isa/runtime_call.h"

namespace heddle::isa {

/// Size of an instruction in memory, in bytes. Instruction addresses are multiples of this size.
inline constexpr std::uint64_t kInstructionBytes = 8;

struct KernelParameter {
  std::string name;
  std::uint32_t offset = 0;  ///< byte offset of the parameter in the parameter block
  std::uint32_t bytes = 0;
  std::uint32_t align = 1;
  DataType type = DataType::none;  ///< data type of the parameter; b8 for arrays of bytes (structures)
  bool shared_pointer = false;  ///< The parameter is declared .ptr .shared: it is an OpenCL __local argument.
};

/// A module-level variable (.global or .const) that the kernel may use.
struct ModuleVariable {
  std::string name;
  Space space = Space::global;  ///< state space of the variable: global or constant
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  /// Initial values of the variable's first bytes; the other bytes are zero.
  std::vector<std::uint8_t> initial;
};

/// Hints of the passes register-sides and register-pairs about where a register should lie in the rows of the
/// banks. Entry formats (layouts of registers in rows) may use these hints.
struct RegisterHint {
  static constexpr std::uint16_t kNoPartner = 0xffff;
  bool left = false;  ///< side of the row for narrow values: true = left, false = right
  /// Register that shares a row with this one; its partner is this register.
  std::uint16_t partner = kNoPartner;
  bool operator==(const RegisterHint&) const = default;
};

struct Program {
  std::string kernel;             ///< mangled name of the kernel
  std::string file;               ///< path of the PTX file, for messages
  std::vector<Instruction> code;  ///< instructions of the kernel; every path ends in exit
  std::uint32_t registers = 0;    ///< number of 32-bit registers per thread
  /// The registers with numbers below this one are exempt: a renaming register file does not rename them
  /// (Jeon 2015, 7.1).
  std::uint32_t exempt_registers = 0;
  std::uint32_t exempt_warps = 0;  ///< most warps that may be resident if registers are exempt from renaming
  /// The machine reads a register only once if several source slots of an instruction name it (configuration
  /// key gpu.sm.register_file.repeated_operand).
  bool repeats_read_once = false;
  std::uint32_t predicates = 0;
  bool architected = false;
  /// For each architected register: its hint; empty if there are no hints.
  std::vector<RegisterHint> register_hints;
  /// For each virtual register word: its PTX name (such as "%rd3.lo"); empty after register allocation.
  std::vector<std::string> register_names;
  std::vector<std::string> predicate_names;
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  /// Static shared memory of a CTA in bytes. Dynamic shared memory follows at the next multiple of 16.
  std::uint32_t shared_bytes = 0;
  /// Local memory per thread in bytes (depot, then spill slots), a multiple of 4.
  std::uint32_t local_bytes = 0;
  std::uint32_t max_threads = 0;  ///< most threads of a CTA: product of .maxntid or .reqntid; 0 = no limit
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< CTA dimensions that .reqntid requires; 0 = none
  std::vector<std::string> files;                 ///< source files from .file directives; index 0 is unused
  /// For each instruction index: its label, or an empty string. The vector has code.size() entries, or none.
  std::vector<std::string> labels;
  /// Assertions, printf formats and failures that instructions refer to by index.
  std::vector<RuntimeCall> runtime_calls;
  /// Address of the barrier counter of a cooperative grid (kGridWorkspace); 0 if the kernel uses none.
  std::uint64_t grid_workspace = 0;
  std::uint32_t sm = 0;  ///< number of the PTX target, such as 75 for sm_75; 0 = unknown
  /// Which special registers of the machine the code reads, as bits kReadsTime and kReadsPlacement.
  std::uint8_t machine_reads = 0;

  /// Register numbers in descending order of the accesses that the compiler expects. Empty if no compiler
  /// pass has computed the order.
  std::vector<std::uint32_t> register_ranks;

  /// Bit of machine_reads: the code reads %clock, %clock64 or %globaltimer.
  static constexpr std::uint8_t kReadsTime = 1;
  /// Bit of machine_reads: the code reads %smid, %warpid or %nsmid.
  static constexpr std::uint8_t kReadsPlacement = 2;
  bool reads_time() const { return machine_reads & kReadsTime; }
  bool reads_placement() const { return machine_reads & kReadsPlacement; }

  std::uint64_t address_of(std::size_t index) const { return index * kInstructionBytes; }
  /// Returns the error text for a trap instruction: the failed assertion, or that the kernel itself contains
  /// the trap.
  std::string trap_text(const Instruction& trap) const {
    if (trap.payload != 0) return assertion_text(runtime_calls[trap.payload - 1]);
    return grid_workspace == 0 ? "trap"
                               : "trap (the grid's barrier ends kernels whose launch is not cooperative)";
  }
};

/// Sets lane_function (the function that executes the instruction for all lanes) of every arithmetic
/// instruction. Throws Error (file:line:column, text) if no lane function implements the combination of
/// operation, type and modifiers.
void bind_lane_functions(Program& program);

}  // namespace heddle::isa
