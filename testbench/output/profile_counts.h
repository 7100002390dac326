#pragma once

// Counts of a profile for each instruction of a program.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/program.h"

namespace heddle::output {

/// Reason why a warp did not issue its next instruction in a cycle.
enum class WaitReason : std::uint8_t {
  /// The instruction was ready, but the scheduler chose another warp, or no collector or unit was free.
  not_picked,
  /// The instruction waits for the result of a short operation, or for an operand that is not read yet.
  dependence,
  /// The instruction waits for the result of a long operation, or, before a barrier, for the warp's memory
  /// accesses.
  memory,
  fetch,  ///< The instruction was not decoded yet.
  barrier,
  fence,
  count_
};
const char* name_of(WaitReason reason);

struct InstructionCounts {
  std::uint64_t issues = 0;
  std::uint64_t lanes = 0;  ///< number of executing lanes, summed over all issues
  /// warp-cycles in which a warp waited before this instruction, by reason
  std::array<std::uint64_t, static_cast<std::size_t>(WaitReason::count_)> waits{};
  /// Cycles in a collector beyond those of an undisturbed read of the operands (caused by bank conflicts).
  std::uint64_t operand_cycles = 0;
  std::uint64_t unit_cycles =
      0;  ///< cycles in a collector with all operands, until a unit accepts the instruction
  std::uint64_t segments = 0;          ///< 128-byte segments of the instruction's global and local accesses
  std::uint64_t segment_accesses = 0;  ///< number of accesses to which `segments` refers
  /// Passes of the instruction's accesses to shared memory: 1 for each access plus 1 for each bank conflict.
  std::uint64_t passes = 0;
  std::uint64_t pass_accesses = 0;

  std::uint64_t waited() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t cycles : waits) sum += cycles;
    return sum;
  }
  void add(const InstructionCounts& other);
};

/// Profile of one program, summed over its launches and all SMs.
struct ProgramProfile {
  std::shared_ptr<const isa::Program> program;
  std::uint64_t launches = 0;
  std::vector<InstructionCounts> instructions;  ///< counts of each instruction, by its index in program->code
};

/// Returns profile.txt: the longest waits, then the listing with the counts of each instruction, and counts
/// by source line if the program has .loc.
std::string make_profile_text(const std::vector<ProgramProfile>& profiles);
/// Returns profile.csv: one row per instruction.
std::string make_profile_csv(const std::vector<ProgramProfile>& profiles);

}  // namespace heddle::output
