#pragma once

// The text that heddle why prints. At most four sentences name the largest shares. One more sentence sums up
// the remaining shares.

#include <string>

#include "models/core/config_node.h"
#include "testbench/why/causes.h"
#include "testbench/why/differences.h"

namespace heddle::why {

/// Returns the sentences about one run.
std::string text_of(const Causes& causes);
/// Describes the difference between two runs. `own_name`, `other_name`: names of the runs' files, used in the
/// text.
std::string text_of(const Causes& own, const Causes& other, const Differences& differences,
                    const std::string& own_name, const std::string& other_name);

ConfigNode tree_of(const Causes& causes);
ConfigNode tree_of(const Differences& differences);

}  // namespace heddle::why
