#pragma once

// Divides the energy of a run among the instructions of its programs. Dynamic energy belongs to the instructions that
// caused the counted events (energy_causes.h). Leakage and the overhead of power gating are distributed over issue
// slots. A slot in which an instruction issued belongs to this instruction. The other slots belong to the instructions
// at which warps waited, in proportion to the warp-cycles of waiting. Leakage of SMs without a CTA belongs to no
// instruction.

#include <cstdint>
#include <vector>

#include "models/core/stats.h"
#include "power/energy_account.h"
#include "testbench/output/profile_counts.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

class EnergyByLine {
 public:
  /// Divides the energies of `account` among instructions. Both arguments must outlive this object. `stats`
  /// must contain all counters.
  EnergyByLine(const power::EnergyAccount& account, const StatsRegistry& stats);

  /// Adds the energy of a timed launch. `program`: number of the program that was launched.
  void launch_ended(std::size_t program, const run::LaunchRecord& record);
  /// Returns the energies of a program by instruction, summed over the program's launches. The sum over all
  /// instructions plus ProfileEnergy::rest is the energy of these launches.
  ProfileEnergy energy_of(std::size_t program, const ProgramProfile& profile) const;

 private:
  struct Spent {
    double pj = 0;
    double issued_pj = 0;  ///< part of `pj` that belongs to issue slots in which instructions issued
    double no_cta_pj = 0;  ///< part of `pj` that belongs to cycles in which an SM had no CTA
  };
  const StatsRegistry& stats_;
  std::vector<power::EnergyAccount::PricedCounter> priced_;
  std::vector<power::EntryReport> entries_;
  std::vector<std::vector<Spent>> spent_;
};

}  // namespace heddle::output
