#pragma once

// Computes how the energy of a run changes over the value ranges of its technologies (tables of prices): the
// total energy with one value at an end of its range. Counters are bound once, so that each total costs only
// one evaluation of the prices.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/ids.h"
#include "models/core/stats.h"
#include "power/account_binder.h"
#include "power/technology.h"

namespace heddle::power {

class Sensitivity {
 public:
  /// The arguments are those of EnergyAccount and EnergyAccount::report(). Configuration and registry must
  /// outlive this object. Throws Error for the reasons that EnergyAccount lists.
  Sensitivity(std::vector<Technology> technologies, const ConfigNode& configuration,
              const StatsRegistry& registry, const std::vector<std::uint64_t>& values, Cycle cycles);
  Sensitivity(const Sensitivity&) = delete;  ///< not copyable, because the binder points into the object
  Sensitivity& operator=(const Sensitivity&) = delete;

  /// Returns the name and the description of each value that has a range.
  std::map<std::string, std::string> ranges() const;
  /// Returns the total energy in pJ with the current values.
  double total();
  /// Returns the total energy in pJ if the named value is at an end of its range, "low" or "high". Throws
  /// Error for a value without a range.
  double total_at(const std::string& name, const std::string& end);

 private:
  std::vector<Technology> technologies_;
  AccountBinder binder_;
  std::vector<double> events_;  ///< number of events of each entry of the account
};

}  // namespace heddle::power
