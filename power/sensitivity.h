#pragma once

// Computes how the total energy of a run changes if one named value of a technology is set to the low or high
// end of its range. Counters are bound once, so each total costs one evaluation of the prices.

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
  /// outlive this object. Throws Error in the same cases as EnergyAccount.
  Sensitivity(std::vector<Technology> technologies, const ConfigNode& configuration,
              const StatsRegistry& registry, const std::vector<std::uint64_t>& values, Cycle cycles);
  Sensitivity(const Sensitivity&) = delete;  ///< not copyable: the binder points into the object
  Sensitivity& operator=(const Sensitivity&) = delete;

  std::map<std::string, std::string> ranges() const;
  double total();
  /// Returns the total energy in pJ with the named value at "low" or "high". Throws Error for a value without
  /// a range.
  double total_at(const std::string& name, const std::string& end);

 private:
  std::vector<Technology> technologies_;
  AccountBinder binder_;
  std::vector<double> events_;
};

}  // namespace heddle::power
