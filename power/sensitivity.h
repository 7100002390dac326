#pragma once

// The energy of one run at other values of its technologies: what its total becomes if one range alone goes to an end.
// Counters are bound once, so that a total costs as much as the coefficients of the account.

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
  /// As EnergyAccount and its report(). Configuration and registry outlive this object. Throws Error, as EnergyAccount does.
  Sensitivity(std::vector<Technology> technologies, const ConfigNode& configuration,
              const StatsRegistry& registry, const std::vector<std::uint64_t>& values, Cycle cycles);
  Sensitivity(const Sensitivity&) = delete;  ///< the binder points into it
  Sensitivity& operator=(const Sensitivity&) = delete;

  /// Names of the values that have a range, and what each is, for readers.
  std::map<std::string, std::string> ranges() const;
  /// pJ, by the technologies as they are.
  double total();
  /// pJ with one value at an end of its range: "low" or "high". Throws Error for a value without a range.
  double total_at(const std::string& name, const std::string& end);

 private:
  std::vector<Technology> technologies_;
  AccountBinder binder_;
  std::vector<double> events_;  ///< of every entry of the account
};

}  // namespace heddle::power
