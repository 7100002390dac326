#pragma once

// Provides made-up counters and technologies for tests, so that energy accounts can be calculated by hand.

#include <string>
#include <vector>

#include "models/core/error.h"
#include "models/core/stats.h"
#include "power/energy_account.h"

namespace heddle::power {

template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class PowerRig {
 public:
  PowerRig& count(const std::string& name, std::uint64_t value);

  /// Returns the account of one technology. `members`: members of the technology as JSON, without its name.
  EnergyAccount account(const std::string& members) const;
  EnergyAccount account(const std::vector<Technology>& technologies) const;
  EnergyReport report(const std::string& members, Cycle cycles) const;
  const std::vector<std::uint64_t>& values() const { return values_; }
  const StatsRegistry& stats() const { return stats_; }

  /// Parameters of the run. At 500 MHz, 1 mW is 2 pJ per cycle.
  std::string configuration = R"({"gpu": {"core_clock_mhz": 500}})";

 private:
  StatsRegistry stats_;
  std::vector<std::uint64_t> values_;
};

Technology technology_of(const std::string& members, const std::string& file = "test.json");

}  // namespace heddle::power
