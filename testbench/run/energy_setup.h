#pragma once

// Builds a run's energy account from the technologies that it names.

#include <functional>
#include <memory>
#include <string>

#include "models/core/stats.h"
#include "power/energy_account.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// A name with a slash or the ending .json is a path. Any other name is the name or alias of a file in
/// configs/technology. Throws Error, which lists the technologies.
std::string find_technology(const std::string& name, const std::string& where);

/// Replaces a former name of a table in configs/technology by the present file.
std::string present_technology(const std::string& file);

/// Returns a technology file's contents; callers with the files in memory pass their own function.
using TechnologyReader = std::function<power::Technology(const std::string& file)>;

/// Reads the run's technologies, and applies its corners (chosen ends of ranges). Throws Error.
std::vector<power::Technology> read_technologies(const RunParameters& parameters,
                                                 const TechnologyReader& read = {});

/// Returns the parameters as a scenario in which every implementation ({"type": "two-level"}) has all its
/// parameters, including defaults.
ConfigNode energy_configuration(const RunParameters& parameters);

/// Connects technologies to the counters of a run whose GPU has been built. nullptr without technologies.
std::unique_ptr<power::EnergyAccount> make_energy_account(std::vector<power::Technology> technologies,
                                                          const RunParameters& parameters,
                                                          const StatsRegistry& stats);

}  // namespace heddle::run
