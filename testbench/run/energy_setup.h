#pragma once

// Builds a run's energy account from the technologies that it names.

#include <functional>
#include <memory>
#include <string>

#include "models/core/stats.h"
#include "power/energy_account.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// Returns the file of a technology: a path if the name has a slash or ends in .json, otherwise the file in
/// configs/technology with this name or alias. Throws Error, which lists the technologies.
std::string find_technology(const std::string& name, const std::string& where);

/// Returns the given file. If its name is a former name of a table in configs/technology, returns that
/// table's file instead.
std::string present_technology(const std::string& file);

/// Returns the contents of a technology file. Callers that have the files in memory pass their own function
/// instead.
using TechnologyReader = std::function<power::Technology(const std::string& file)>;

/// Reads the run's technologies from their files, or with the function `read`, and applies the run's corners.
/// Throws Error.
std::vector<power::Technology> read_technologies(const RunParameters& parameters,
                                                 const TechnologyReader& read = {});

/// Returns the parameters of a run in the form that the energy account needs: a scenario in which every part
/// of a family ({"type": "two-level"}) has all its parameters, including defaults.
ConfigNode energy_configuration(const RunParameters& parameters);

/// Connects technologies to the counters of a run whose GPU has been built. Returns nullptr without
/// technologies.
std::unique_ptr<power::EnergyAccount> make_energy_account(std::vector<power::Technology> technologies,
                                                          const RunParameters& parameters,
                                                          const StatsRegistry& stats);

}  // namespace heddle::run
