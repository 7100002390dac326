#pragma once

// Places of parts in the lists of a configuration, such as compiler passes.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/part_order.h"

namespace heddle::run {

/// Inserts a part before the first part that must follow it.
void insert_part(ConfigNode& list, const PartOrder& order, const ConfigNode& part);

/// Inserts each pass whose type the list `compiler.passes` lacks.
void add_missing_passes(ConfigNode& configuration, const std::vector<ConfigNode>& passes);

/// Adds the pass that sets control bits if the machine needs them (constraint stall-count) and the list
/// `compiler.passes` lacks it.
void add_control_bits(ConfigNode& configuration);

}  // namespace heddle::run
