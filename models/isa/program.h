#pragma once

// A kernel that can be executed. models/ptx parses PTX into a program with virtual registers. models/compiler
// turns it into a program with architected registers.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "models/isa/runtime_call.h"

namespace heddle::isa {

/// Size of an instruction in memory, in bytes. Instruction addresses are multiples of this size.
inline constexpr std::uint64_t kInstructionBytes = 8;

struct LatencyTable;

struct KernelParameter {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t align = 1;
  DataType type = DataType::none;
  bool shared_pointer =
      false;  ///< True: the parameter is declared .ptr .shared (an OpenCL __local argument).
};

struct ModuleVariable {
  std::string name;
  Space space = Space::global;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  /// Initial values of the variable's first bytes. The other bytes are zero.
  std::vector<std::uint8_t> initial;
};

/// Compiler hints for the position of a register in the rows of the banks. The passes register-sides and
/// register-pairs set these hints.
struct RegisterHint {
  static constexpr std::uint16_t kNoPartner = 0xffff;
  bool left = false;  ///< Side of the row for narrow values: true = left, false = right.
  std::uint16_t partner = kNoPartner;
  bool operator==(const RegisterHint&) const = default;
};

struct Program {
  std::string kernel;
  std::string file;
  std::vector<Instruction> code;
  std::uint32_t registers = 0;
  /// Registers with numbers below this value are exempt: a renaming register file does not rename them (Jeon
  /// 2015, 7.1). This number is a member of Program, not a compiler note (notes.h), because the pass
  /// release-flags and verify() use it too.
  std::uint32_t exempt_registers = 0;
  /// True: the modelled SM reads a register only once, even if several source operands of an instruction
  /// name it (configuration key gpu.sm.register_file.repeated_operand).
  bool repeats_read_once = false;
  std::uint32_t predicates = 0;
  bool architected = false;
  /// Latency table for which a compiler pass has set the control bits (Instruction::control); nullptr if no
  /// pass has set them.
  std::shared_ptr<const LatencyTable> latencies;
  /// For each architected register: the hint for its position in a row. Empty if there are no hints. The
  /// hints are a member of Program, not compiler notes (notes.h), because verify() checks that the two
  /// registers of a pair name each other.
  std::vector<RegisterHint> register_hints;
  /// For each virtual register word: its PTX name (such as "%rd3.lo"). Empty after register allocation.
  std::vector<std::string> register_names;
  std::vector<std::string> predicate_names;
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  /// Static shared memory of a CTA in bytes. Dynamic shared memory follows at the next multiple of 16.
  std::uint32_t shared_bytes = 0;
  /// Local memory per thread in bytes, a multiple of 4: the program's own local variables, then spill slots.
  std::uint32_t local_bytes = 0;
  /// Largest number of threads of a CTA: the product of the three numbers of .maxntid or .reqntid; 0 = no
  /// limit.
  std::uint32_t max_threads = 0;
  std::uint32_t required_threads[3] = {0, 0, 0};
  std::vector<std::string> files;
  /// For each instruction: its label, or an empty string. The whole list may be empty.
  std::vector<std::string> labels;
  std::vector<RuntimeCall> runtime_calls;
  /// Address of the barrier counter of a cooperative grid; 0 if the kernel uses none.
  std::uint64_t grid_workspace = 0;
  std::uint32_t sm = 0;
  /// Bit mask of the kinds of special registers that the code reads (kReadsTime, kReadsPlacement).
  std::uint8_t machine_reads = 0;

  Notes notes;

  /// Bit of `machine_reads`: the code reads %clock, %clock64 or %globaltimer.
  static constexpr std::uint8_t kReadsTime = 1;
  /// Bit of `machine_reads`: the code reads %smid, %warpid or %nsmid.
  static constexpr std::uint8_t kReadsPlacement = 2;
  bool reads_time() const { return machine_reads & kReadsTime; }
  bool reads_placement() const { return machine_reads & kReadsPlacement; }

  std::uint64_t address_of(std::size_t index) const { return index * kInstructionBytes; }
  std::string trap_text(const Instruction& trap) const {
    if (trap.payload != 0) return assertion_text(runtime_calls[trap.payload - 1]);
    return grid_workspace == 0 ? "trap"
                               : "trap (the grid's barrier ends kernels whose launch is not cooperative)";
  }
};

/// Sets lane_function of every arithmetic instruction. Throws Error (file:line:column, text) for an
/// unsupported combination of operation, type and modifiers.
void bind_lane_functions(Program& program);

}  // namespace heddle::isa
