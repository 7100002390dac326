#pragma once

// The energy of a launch, a run or an interval, by structure. All energies in pJ.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "power/technology.h"

namespace heddle::power {

/// Dynamic, leakage and overhead apart.
struct EnergyParts {
  std::array<double, kKinds> pj{};

  double& operator[](Kind kind) { return pj[static_cast<std::size_t>(kind)]; }
  double operator[](Kind kind) const { return pj[static_cast<std::size_t>(kind)]; }
  double total() const { return pj[0] + pj[1] + pj[2]; }
  /// Leakage, and what switching it off and on costs.
  double still() const { return (*this)[Kind::leakage] + (*this)[Kind::overhead]; }
  void add(const EnergyParts& other) {
    for (std::size_t i = 0; i < pj.size(); ++i) pj[i] += other.pj[i];
  }
};

/// Energy of a structure, and its energy without the mechanism under study.
struct EnergyBalance {
  EnergyParts spent, baseline;

  /// Shares of the baseline that are not spent, negative where more is spent; 0 where the baseline is 0. The baseline
  /// is of the same accesses and cycles, so this is not what a mechanism saves against a run without it.
  double saved() const;
  double dynamic_saved() const;
  /// Leakage and gating overhead together, of the leakage without gating (Abdel-Majeed 2016, Fig. 3.8).
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
  std::string name;  ///< "execution.int"
  EnergyBalance energy;
  std::vector<NamedBalance> units;  ///< one name in all SMs together ("partition0.int1"), sorted by name
};

/// One entry of a technology, as long as the account lives.
struct EntryReport {
  const Entry* entry = nullptr;
  std::string technology;
  double events = 0;   ///< sum of the counters
  double pj_each = 0;  ///< the coefficient, a power turned into energy a cycle
  double spent_pj = 0, baseline_pj = 0;
};

/// Effect of a saving on a larger whole, as a share of the whole.
struct ShareReport {
  const Share* share = nullptr;
  std::string technology;
  double saved = 0;
};

/// Parts of the machine that cost nothing in an account, though they are there: what their events cost, and their
/// leakage.
struct NotPriced {
  std::vector<std::string> dynamic, still;
};

struct EnergyReport {
  Cycle cycles = 0;
  double clock_mhz = 0;
  EnergyBalance total;
  std::vector<NamedBalance> groups;         ///< sorted by name
  std::vector<StructureReport> structures;  ///< sorted by name
  std::vector<EntryReport> entries;         ///< in the order of the technologies
  std::vector<ShareReport> shares;
  std::vector<std::pair<std::string, double>> mixed_nodes;  ///< EnergyAccount::mixed_nodes()
  std::vector<std::string>
      what_if;  ///< technologies of no hardware that price something (Technology::what_if)
  NotPriced not_priced;
  std::vector<std::string> scope;  ///< EnergyAccount::scope()

  double milliwatts(double pj) const;
  /// A structure or a group; zeroes if there is none of this name.
  EnergyBalance find(const std::string& name) const;
};

}  // namespace heddle::power
