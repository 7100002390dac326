#pragma once

// Builds a run's energy account from the technologies that it names.

#include <functional>
#include <memory>
#include <string>

#include "models/core/stats.h"
#include "power/energy_account.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// File of a technology: a path if the name has a slash or ends in .json, otherwise a name in
/// configs/technology, or an alias in a file there. Throws Error that lists the technologies.
std::string find_technology(const std::string& name, const std::string& where);

/// The file itself, or that of the table of configs/technology that was there under an alias.
std::string present_technology(const std::string& file);

/// Contents of a technology's file, for callers that cache files.
using TechnologyReader = std::function<power::Technology(const std::string& file)>;

/// Reads the run's technologies from their files, or with `read`, with the run's corners applied. Throws
/// Error.
std::vector<power::Technology> read_technologies(const RunParameters& parameters,
                                                 const TechnologyReader& read = {});

/// Parameters of a run for the energy account: the tree of a scenario in which every part of a family
/// ({"type": "two-level"}) has all its parameters, including defaults.
ConfigNode energy_configuration(const RunParameters& parameters);

/// Connects technologies to the counters of a run whose GPU has been built. nullptr without technologies.
std::unique_ptr<power::EnergyAccount> make_energy_account(std::vector<power::Technology> technologies,
                                                          const RunParameters& parameters,
                                                          const StatsRegistry& stats);

}  // namespace heddle::run
