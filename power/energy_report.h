#pragma once

// Energy of a launch, a run or an interval, by structure. All energies are in pJ.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "power/technology.h"

namespace heddle::power {

/// Dynamic energy, leakage and gating overhead, separately.
struct EnergyParts {
  std::array<double, kKinds> pj{};

  double& operator[](Kind kind) { return pj[static_cast<std::size_t>(kind)]; }
  double operator[](Kind kind) const { return pj[static_cast<std::size_t>(kind)]; }
  double total() const { return pj[0] + pj[1] + pj[2]; }
  /// Returns the leakage and gating overhead.
  double still() const { return (*this)[Kind::leakage] + (*this)[Kind::overhead]; }
  void add(const EnergyParts& other) {
    for (std::size_t i = 0; i < pj.size(); ++i) pj[i] += other.pj[i];
  }
};

/// Energy of a structure, and the baseline: its energy without the mechanism under study.
struct EnergyBalance {
  EnergyParts spent, baseline;

  /// Returns the fraction of the baseline that is not spent. Negative if more is spent, 0 if the baseline is
  /// 0. The baseline is for the same accesses and cycles, so this is not the saving against a run without the
  /// mechanism.
  double saved() const;
  double dynamic_saved() const;
  /// As saved(), for leakage plus gating overhead against leakage without gating (Abdel-Majeed 2016, Fig.
  /// 3.8).
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
  std::string name;  ///< such as "execution.int"
  EnergyBalance energy;
  std::vector<NamedBalance> units;  ///< units of all SMs under one name ("partition0.int1"), sorted by name
};

/// Energy of one entry of a technology. Valid as long as the account exists.
struct EntryReport {
  const Entry* entry = nullptr;
  std::string technology;
  double events = 0;   ///< sum of the counters
  double pj_each = 0;  ///< coefficient; a power is converted to energy per cycle
  double spent_pj = 0, baseline_pj = 0;
};

/// Effect of a saving on a larger whole, as a fraction of the whole.
struct ShareReport {
  const Share* share = nullptr;
  std::string technology;
  double saved = 0;
};

/// Parts of the machine that an account does not price: parts without a price for their events (`dynamic`),
/// and parts without a price for their leakage (`still`).
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
  /// Technologies of limit studies that price something (Technology::what_if)
  std::vector<std::string> what_if;
  NotPriced not_priced;
  std::vector<std::string> scope;  ///< EnergyAccount::scope()

  double milliwatts(double pj) const;
  /// Returns the energy of a structure or group; zero if there is none with this name.
  EnergyBalance find(const std::string& name) const;
};

}  // namespace heddle::power
