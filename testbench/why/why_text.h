#pragma once

// Makes the text that heddle why prints. The text has at most four sentences for the largest shares, and one
// more sentence for the sum of the remaining shares.

#include <string>

#include "models/core/config_node.h"
#include "testbench/why/causes.h"
#include "testbench/why/differences.h"

namespace heddle::why {

std::string cycles_text(const Causes& causes);
std::string text_of(const Causes& causes);
/// Returns sentences about the difference of two runs. `own_name`, `other_name`: names of the two runs in the
/// sentences, such as the names of the files.
std::string text_of(const Causes& own, const Causes& other, const Differences& differences,
                    const std::string& own_name, const std::string& other_name);

ConfigNode tree_of(const Causes& causes);
ConfigNode tree_of(const Differences& differences);

}  // namespace heddle::why
