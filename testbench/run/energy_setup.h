#pragma once

// Builds a run's energy account from the technologies that it names.

#include <functional>
#include <memory>
#include <string>

#include "models/core/stats.h"
#include "power/energy_account.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// Returns the path of a technology file. A name with a slash or the ending .json is a path; any other name
/// is the name or alias of a file in configs/technology. Throws Error for an unknown name; the error lists
/// the technologies.
std::string find_technology(const std::string& name, const std::string& where);

/// Returns the file that now holds a table of configs/technology, if `file` is a name of an earlier version. Returns
/// other names unchanged.
std::string present_technology(const std::string& file);

/// Function that returns a technology file's contents. A caller that has the files in memory passes its own
/// function.
using TechnologyReader = std::function<power::Technology(const std::string& file)>;

/// Reads the run's technologies. Applies the corners (ends of price ranges) that `parameters` choose. Throws
/// Error.
std::vector<power::Technology> read_technologies(const RunParameters& parameters,
                                                 const TechnologyReader& read = {});

/// Returns the parameters in the form of a scenario. Each part, such as {"type": "two-level"}, has all its
/// parameters, including those with default values.
ConfigNode energy_configuration(const RunParameters& parameters);

/// Connects technologies to the counters of a run whose GPU has been built. Returns nullptr if there are no
/// technologies.
std::unique_ptr<power::EnergyAccount> make_energy_account(std::vector<power::Technology> technologies,
                                                          const RunParameters& parameters,
                                                          const StatsRegistry& stats);

}  // namespace heddle::run
