#pragma once

// Synthetic counters and technologies of a test, for accounts that can be calculated by hand.

#include <string>
#include <vector>

#include "models/core/error.h"
#include "models/core/stats.h"
#include "power/energy_account.h"

namespace heddle::power {

/// Returns the text of an error, or "" if nothing was thrown.
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
  /// Adds a counter by its full name, with the value that a launch adds to it.
  PowerRig& count(const std::string& name, std::uint64_t value);

  /// `members` are the members of a technology without its name, as JSON text.
  EnergyAccount account(const std::string& members) const;
  EnergyAccount account(const std::vector<Technology>& technologies) const;
  EnergyReport report(const std::string& members, Cycle cycles) const;
  const std::vector<std::uint64_t>& values() const { return values_; }
  const StatsRegistry& stats() const { return stats_; }

  /// JSON text of the run's parameters. At 500 MHz, 1 mW is 2 pJ a cycle.
  std::string configuration = R"({"gpu": {"core_clock_mhz": 500}})";

 private:
  StatsRegistry stats_;
  std::vector<std::uint64_t> values_;
};

/// Returns a technology "test" with these members.
Technology technology_of(const std::string& members, const std::string& file = "test.json");

}  // namespace heddle::power
