#pragma once

// Areas of structures of the machine. A technology file states an area in mm2 as a named value such as
// "area.register_file.operand_file"; its expression may use the configuration of the run (docs/energy.md).

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "power/technology.h"

namespace heddle::power {

struct Area {
  std::string structure;
  double mm2 = 0;
};

/// Returns the areas of all structures, sorted. Ignores a technology if another element of `technologies`
/// extends it. If several technologies have an area for a structure, the technology with the highest rank (a
/// number of each technology file) decides; if several have this rank, the first in alphabetical order.
/// `configuration`: tree of the run's parameters. Throws Error if an area uses a parameter that the run
/// lacks, or is not a number.
std::vector<Area> areas_of(const std::vector<Technology>& technologies, const ConfigNode& configuration);

}  // namespace heddle::power
