#pragma once

// Areas of a machine's parts. A named value of a technology that begins with "area." is the area of a
// structure in square millimetres for a run's configuration: "area.register_file.operand_file"
// (docs/energy.md).

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "power/technology.h"

namespace heddle::power {

struct Area {
  std::string structure;  ///< such as "register_file.operand_file"
  double mm2 = 0;
};

/// Returns the areas sorted by structure. A technology that another one extends is ignored. If several
/// technologies define the area of a structure, the one with the highest rank counts, then the first by name.
/// `configuration`: as for EnergyAccount. Throws Error for parameters that the run does not have and for
/// values that are no numbers.
std::vector<Area> areas_of(const std::vector<Technology>& technologies, const ConfigNode& configuration);

}  // namespace heddle::power
