#pragma once

// Counts of a profile for each instruction of a program.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/program.h"
#include "models/sm/warp_activity.h"

namespace heddle::output {

/// Reason why a warp did not issue its next instruction in a cycle.
enum class WaitReason : std::uint8_t {
  /// The warp could issue, but the scheduler chose another warp, or no collector or unit was free.
  not_picked,
  /// The warp waits for the result of a short operation, or until an operand has been read.
  dependence,
  /// The warp waits for the result of a long operation. Or it waits before a barrier until its memory
  /// accesses have ended.
  memory,
  fetch,
  barrier,
  fence,
  async,  ///< waits for asynchronous copies, or for the phase of an mbarrier
  count_
};
const char* name_of(WaitReason reason);

/// Returns true for activities in which a warp waits. A warp that is ready also waits, because another warp
/// issues.
constexpr bool is_wait(WarpActivity activity) {
  return activity != WarpActivity::empty && activity != WarpActivity::draining &&
         activity != WarpActivity::issuing;
}
/// Returns the reason of a wait. `activity` must be a wait.
WaitReason reason_of(WarpActivity activity);

struct InstructionCounts {
  std::uint64_t issues = 0;
  std::uint64_t lanes = 0;
  /// warp-cycles that warps waited before this instruction, by WaitReason
  std::array<std::uint64_t, static_cast<std::size_t>(WaitReason::count_)> waits{};
  /// Cycles that bank conflicts add to the instruction's time in a collector.
  std::uint64_t operand_cycles = 0;
  std::uint64_t unit_cycles =
      0;  ///< cycles that the instruction, with all operands in its collector, waits for a unit
  std::uint64_t segments = 0;  ///< 128-byte segments of the instruction's global and local accesses
  std::uint64_t segment_accesses = 0;
  /// Passes of shared-memory accesses. Each access has one pass, and one more for each bank conflict.
  std::uint64_t passes = 0;
  std::uint64_t pass_accesses = 0;
  std::uint64_t collected = 0;   ///< issues after which the instruction passed through a collector and a unit
  std::uint64_t unit_lanes = 0;  ///< executing lanes, summed over the `collected` issues
  std::uint64_t requests = 0;
  std::uint64_t bank_words = 0;  ///< words that the banks of shared memory read or wrote
  /// Register words that the stages above the banks passed on to the banks; 0 if there are no such stages.
  std::uint64_t passed_reads = 0, passed_writes = 0;

  std::uint64_t waited() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t cycles : waits) sum += cycles;
    return sum;
  }
  void add(const InstructionCounts& other);
};

/// Energy that no instruction of the program caused, for one price (entry) of a technology.
struct EnergyRest {
  std::string technology, structure, entry;
  std::string kind;  ///< "dynamic", "leakage" or "overhead"
  double pj = 0;
};

/// Energies in pJ.
struct ProfileEnergy {
  /// Names of the energy columns: groups of structures, such as "register_file", in the order of their names,
  /// then "leakage". Empty without an energy account.
  std::vector<std::string> columns;
  std::vector<std::vector<double>> by_instruction;
  std::vector<EnergyRest> rest;
};

struct ProgramProfile {
  std::shared_ptr<const isa::Program> program;
  std::uint64_t launches = 0;
  std::vector<InstructionCounts> instructions;  ///< counts of each instruction, by its index in program->code
  ProfileEnergy energy;
};

struct ProfileSums {
  InstructionCounts counts;
  std::vector<double> pj;

  double all_pj() const;
  void add(const ProfileSums& other);
};
std::vector<ProfileSums> sums_by_instruction(const ProgramProfile& profile);

/// Returns the names of the columns that output.profile_columns may select.
const std::vector<std::string>& profile_columns();
/// Checks names of columns. Throws Error if one of them is no column.
void check_profile_columns(const std::vector<std::string>& names);
/// Returns true if `column` is in `names`.
bool selects(const std::vector<std::string>& names, const std::string& column);

/// Returns profile.txt. It has three parts: the longest waits; counts and energies by source line, with the
/// text of each line and its instructions; the listing with the counts of each instruction. `columns`: the
/// selected columns; empty: all.
std::string make_profile_text(const std::vector<ProgramProfile>& profiles,
                              const std::vector<std::string>& columns = {});
std::string make_profile_csv(const std::vector<ProgramProfile>& profiles);
/// Returns profile_rest.csv: energy that no instruction has caused, with one row for each entry of a
/// technology. Returns an empty text without an energy account.
std::string make_profile_rest_csv(const std::vector<ProgramProfile>& profiles);

}  // namespace heddle::output
