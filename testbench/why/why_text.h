#pragma once

// The text that heddle why prints. At most four sentences name the largest shares. One more sentence sums up
// the remaining shares.

#include <string>

#include "models/core/config_node.h"
#include "testbench/why/causes.h"
#include "testbench/why/differences.h"

namespace heddle::why {

std::string cycles_text(const Causes& causes);
std::string text_of(const Causes& causes);
/// Returns the sentences about the difference of two runs. `own_name` and `other_name` are the names of the
/// two runs in these sentences, such as the files that the user gave.
std::string text_of(const Causes& own, const Causes& other, const Differences& differences,
                    const std::string& own_name, const std::string& other_name);

ConfigNode tree_of(const Causes& causes);
ConfigNode tree_of(const Differences& differences);

}  // namespace heddle::why
