#pragma once

// Sensitivity of a run's energy to the ranges of its technologies: the total with one value at an end of its
// range. Counters are bound once, so each total costs one evaluation of the account's coefficients.

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
  /// Arguments as for EnergyAccount and report(). Configuration and registry must outlive this object. Throws
  /// Error, as EnergyAccount does.
  Sensitivity(std::vector<Technology> technologies, const ConfigNode& configuration,
              const StatsRegistry& registry, const std::vector<std::uint64_t>& values, Cycle cycles);
  Sensitivity(const Sensitivity&) = delete;  ///< the binder points into it
  Sensitivity& operator=(const Sensitivity&) = delete;

  /// Returns the descriptions of the values that have a range, by name.
  std::map<std::string, std::string> ranges() const;
  /// Returns the total in pJ with the current values.
  double total();
  /// Returns the total in pJ with one value at an end of its range, "low" or "high". Throws Error for a value
  /// without a range.
  double total_at(const std::string& name, const std::string& end);

 private:
  std::vector<Technology> technologies_;
  AccountBinder binder_;
  std::vector<double> events_;  ///< by entry of the account
};

}  // namespace heddle::power
