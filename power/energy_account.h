#pragma once

// The energy account of a run: technologies bound to the counters and the configuration of one GPU. Patterns
// and coefficients are resolved once; a report is a walk over counter values. Nothing here runs while the GPU
// does.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/stats.h"
#include "power/counter_pattern.h"
#include "power/energy_report.h"
#include "power/technology.h"

namespace heddle::power {

class EnergyAccount {
 public:
  /// `configuration`: the parameters of the run as a tree, with gpu.core_clock_mhz. The registry holds all
  /// counters. The first technology that prices an event within a group of structures ("register_file"), or the
  /// cycles of a structure, prices it alone: later ones add what it lacks, so that nothing counts twice. Throws
  /// Error for entries that mean no counter and are not optional, and for parameters that a coefficient needs and
  /// the run does not have.
  EnergyAccount(std::vector<Technology> technologies, const ConfigNode& configuration,
                const StatsRegistry& registry);
  EnergyAccount(const EnergyAccount&) = delete;  ///< reports point into it
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// `values`: what the counters added in `cycles`, in the order of StatsRegistry::counters().
  EnergyReport report(const std::vector<std::uint64_t>& values, Cycle cycles) const;
  /// The same without `shares`, in a small part of the time: for reports of many intervals.
  EnergyReport balances(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  /// Checks that the states of every unit that a technology names sum to the cycles of the launch. Throws
  /// InternalError.
  void check_cycles(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  const std::vector<Technology>& technologies() const { return technologies_; }

  /// Entries that price nothing here, or less than they mean, because an earlier technology does.
  struct LeftOut {
    std::string technology, entry, priced_by;
  };
  const std::vector<LeftOut>& left_out() const { return left_out_; }

  /// Technologies that price something here, with their nodes, where these are not all the same; else empty.
  const std::vector<std::pair<std::string, double>>& mixed_nodes() const { return mixed_nodes_; }

 private:
  struct Place {
    std::size_t counter;  ///< or kCycles
    std::size_t unit;     ///< position among the units of the structure
  };
  struct BoundTerm {
    std::vector<Place> places;  ///< those of a unit side by side
    double pj_each = 0;
  };
  struct BoundEntry {
    const Entry* entry;
    const Technology* technology;
    std::size_t structure;
    BoundTerm spent, baseline;
  };
  struct Structure {
    std::string name;
    std::vector<std::string> units;
  };
  struct UnitCheck {
    std::string owner;
    const CycleCheck* check;
    std::vector<std::size_t> counters;
    std::uint64_t times = 1;
  };

  void bind(const Entry& entry, const Technology& technology);
  BoundTerm bind_term(const Entry& entry, const Term& term, const Technology& technology,
                      Structure& structure, bool baseline);
  /// Calls each(unit, events) for every unit of the term; the sum of all.
  template <typename Each>
  static double events_by_unit(const BoundTerm& term, const std::vector<std::uint64_t>& values, Cycle cycles,
                               Each each);
  void bind_check(const CycleCheck& check, const Technology& technology);
  std::vector<std::pair<std::string, double>> find_mixed_nodes() const;
  bool is_priced(const Entry& entry, const CounterMatch& match, const Technology& technology, bool baseline);
  std::size_t structure_of(const std::string& name);
  void add_structures(const std::vector<std::vector<EnergyBalance>>& units, EnergyReport& report) const;
  void add_shares(EnergyReport& report) const;

  std::vector<Technology> technologies_;
  ConfigNode configuration_;
  const StatsRegistry* registry_;
  double clock_mhz_;
  std::vector<Structure> structures_;
  std::vector<BoundEntry> entries_;
  std::vector<UnitCheck> checks_;
  std::map<std::string, const Technology*> priced_;  ///< by what is priced
  std::vector<LeftOut> left_out_;
  std::map<const Technology*, Coefficients> coefficients_;
  std::vector<std::pair<std::string, double>> mixed_nodes_;
};

}  // namespace heddle::power
