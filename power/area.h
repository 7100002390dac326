#pragma once

// Computes areas of parts of the machine. A technology states an area as a named value that begins with
// "area.", for example "area.register_file.operand_file". Its value is the area of the structure in square
// millimetres, for the configuration of a run (docs/energy.md).

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "power/technology.h"

namespace heddle::power {

struct Area {
  std::string structure;  ///< name of the structure, such as "register_file.operand_file"
  double mm2 = 0;
};

/// Returns the areas of all structures, sorted by structure. A technology file that another file extends is
/// ignored. If several files state the area of a structure, the file with the highest rank is used, and among
/// equals the first by name. `configuration`: as for EnergyAccount. Throws Error if an area uses a parameter
/// that the run does not have, or if it is not a number.
std::vector<Area> areas_of(const std::vector<Technology>& technologies, const ConfigNode& configuration);

}  // namespace heddle::power
