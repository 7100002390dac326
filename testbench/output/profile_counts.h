#pragma once

// What is counted for each instruction of a program.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/program.h"

namespace heddle::output {

/// Why a warp did not issue its next instruction in a cycle.
enum class WaitReason : std::uint8_t {
  not_picked,  ///< it could have: the scheduler took another warp, or no collector or unit was free
  dependence,  ///< for the result of a short operation, or an operand that is still to be read
  memory,      ///< for the result of a long operation, or its memory accesses before a barrier
  fetch,       ///< the instruction was not decoded yet
  barrier,
  fence,
  count_
};
const char* name_of(WaitReason reason);

struct InstructionCounts {
  std::uint64_t issues = 0;
  std::uint64_t lanes = 0;  ///< that executed, over all issues
  std::array<std::uint64_t, static_cast<std::size_t>(WaitReason::count_)> waits{};  ///< warp-cycles
  std::uint64_t operand_cycles = 0;    ///< in a collector, beyond the reads of an empty register file
  std::uint64_t unit_cycles = 0;       ///< in a collector with all operands, until a unit took it
  std::uint64_t segments = 0;          ///< 128-byte segments of its global and local accesses
  std::uint64_t segment_accesses = 0;  ///< accesses that had any
  std::uint64_t passes = 0;            ///< of its accesses to shared memory
  std::uint64_t pass_accesses = 0;

  std::uint64_t waited() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t cycles : waits) sum += cycles;
    return sum;
  }
  void add(const InstructionCounts& other);
};

/// The counts of one program, over all of its launches and all SMs.
struct ProgramProfile {
  std::shared_ptr<const isa::Program> program;
  std::uint64_t launches = 0;
  std::vector<InstructionCounts> instructions;  ///< by index in program->code
};

/// Columns beside the listing, then the same by source line where the program has .loc; the longest waits on
/// top.
std::string make_profile_text(const std::vector<ProgramProfile>& profiles);
/// One row an instruction.
std::string make_profile_csv(const std::vector<ProgramProfile>& profiles);

}  // namespace heddle::output
