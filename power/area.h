#pragma once

// Areas of a machine's parts: named values of technologies that begin with "area." give a structure's square
// millimetres for a run's configuration, such as "area.register_file.operand_file" (docs/energy.md).

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "power/technology.h"

namespace heddle::power {

struct Area {
  std::string structure;  ///< "register_file.operand_file"
  double mm2 = 0;
};

/// Sorted by structure. A technology that another one extends says nothing; of several that know a structure, the one of
/// the highest rank does, then the one whose name comes first. `configuration`: as of EnergyAccount. Throws Error for
/// parameters that the run does not have and values that are no numbers.
std::vector<Area> areas_of(const std::vector<Technology>& technologies, const ConfigNode& configuration);

}  // namespace heddle::power
