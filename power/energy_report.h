#pragma once

// Energy of a launch, a run or an interval, by structure (consumer of energy, such as "execution.int"), in
// pJ.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "power/technology.h"

namespace heddle::power {

/// Dynamic energy, leakage, and the overhead of power gating.
struct EnergyParts {
  std::array<double, kKinds> pj{};

  double& operator[](Kind kind) { return pj[static_cast<std::size_t>(kind)]; }
  double operator[](Kind kind) const { return pj[static_cast<std::size_t>(kind)]; }
  double total() const { return pj[0] + pj[1] + pj[2]; }
  double still() const { return (*this)[Kind::leakage] + (*this)[Kind::overhead]; }
  void add(const EnergyParts& other) {
    for (std::size_t i = 0; i < pj.size(); ++i) pj[i] += other.pj[i];
  }
};

/// Spent energy and its baseline: the energy of the same accesses and cycles without the technique under
/// study.
struct EnergyBalance {
  EnergyParts spent, baseline;

  /// Returns 1 - spent / baseline; negative if more is spent, 0 if the baseline is 0. Not the saving against
  /// another run, because the baseline belongs to this run's accesses and cycles.
  double saved() const;
  double dynamic_saved() const;
  /// Returns 1 - (leakage + gating overhead) / (leakage without gating), as in Abdel-Majeed 2016, Fig. 3.8.
  double static_saved() const;
  void add(const EnergyBalance& other) {
    spent.add(other.spent);
    baseline.add(other.baseline);
  }
};

struct NamedBalance {
  std::string name;
  EnergyBalance energy;
};

struct StructureReport {
  std::string name;
  EnergyBalance energy;
  std::vector<NamedBalance> units;
};

/// Energy of all events that one entry of a technology file prices. The report is valid as long as the
/// account exists.
struct EntryReport {
  const Entry* entry = nullptr;
  std::string technology;
  double events = 0;
  double pj_each = 0;  ///< price of an event in pJ; for a power in mW, the energy per cycle
  double spent_pj = 0, baseline_pj = 0;
};

/// Energy that a structure saves, as a fraction of the energy of a larger whole. An example of a whole is the
/// chip.
struct ShareReport {
  const Share* share = nullptr;
  std::string technology;
  double saved = 0;
};

/// Structures that an account does not price. `dynamic`: no price for events. `still`: no price for leakage.
struct NotPriced {
  std::vector<std::string> dynamic, still;
};

struct EnergyReport {
  Cycle cycles = 0;
  double clock_mhz = 0;
  EnergyBalance total;
  std::vector<NamedBalance> groups;
  std::vector<StructureReport> structures;
  std::vector<EntryReport> entries;
  std::vector<ShareReport> shares;
  /// Technologies with their process nodes in nm; empty if all nodes are equal.
  std::vector<std::pair<std::string, double>> mixed_nodes;
  /// Technologies that price something in this run and are what-if technologies (Technology::what_if). A
  /// what-if technology describes a theoretical limit instead of real hardware.
  std::vector<std::string> what_if;
  NotPriced not_priced;
  std::vector<std::string> scope;  ///< hardware that the energies cover (EnergyAccount::scope())

  double milliwatts(double pj) const;
  EnergyBalance find(const std::string& name) const;
};

}  // namespace heddle::power
