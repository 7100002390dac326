#pragma once

// Inserts parts at their positions in the lists of a configuration, such as the list of compiler passes.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/part_order.h"

namespace heddle::run {

/// Inserts `part` (such as a compiler pass) into a list. Some parts of the list must come after `part` by
/// `order`; `part` is inserted directly before the first of these.
void insert_part(ConfigNode& list, const PartOrder& order, const ConfigNode& part);

/// Inserts each pass into the list `compiler.passes`, unless the list has a pass of this type.
void add_missing_passes(ConfigNode& configuration, const std::vector<ConfigNode>& passes);

/// Adds the pass that sets control bits to the list `compiler.passes`. Does nothing if the machine does not
/// need control bits (constraint stall-count), or if the list has the pass.
void add_control_bits(ConfigNode& configuration);

}  // namespace heddle::run
