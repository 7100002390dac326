#pragma once

// Areas of structures of the machine. A technology file states an area in mm2 as a named value such as
// "area.register_file.operand_file". The value's expression may use the configuration of the run
// (docs/energy.md).

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
/// number of each technology file) decides. If several of these technologies have this rank, the first in
/// alphabetical order decides. `configuration`: tree of the run's parameters. Throws Error if an area is not
/// a number, or uses a parameter that the run lacks.
std::vector<Area> areas_of(const std::vector<Technology>& technologies, const ConfigNode& configuration);

}  // namespace heddle::power
