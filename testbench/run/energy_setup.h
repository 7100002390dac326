#pragma once

// From the technologies that a run names to its energy account.

#include <functional>
#include <memory>
#include <string>

#include "models/core/stats.h"
#include "power/energy_account.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// The file that a technology's name means: a file if it has a slash or ends in .json, else a name in
/// configs/technology. Throws Error that lists the technologies.
std::string find_technology(const std::string& name, const std::string& where);

/// What a technology's file holds; for a caller that keeps what it has read.
using TechnologyReader = std::function<power::Technology(const std::string& file)>;

/// Reads the technologies that the run names, from their files or by `read`, with the run's corners. Throws Error.
std::vector<power::Technology> read_technologies(const RunParameters& parameters,
                                                 const TechnologyReader& read = {});

/// The parameters of a run as the energy account sees them: the tree of a scenario, in which every part of a
/// family ({"type": "two-level"}) has all of its parameters, those too that keep their
/// defaults.
ConfigNode energy_configuration(const RunParameters& parameters);

/// Binds technologies to the counters of a run whose GPU has been built. nullptr if there are none.
std::unique_ptr<power::EnergyAccount> make_energy_account(std::vector<power::Technology> technologies,
                                                          const RunParameters& parameters,
                                                          const StatsRegistry& stats);

}  // namespace heddle::run
