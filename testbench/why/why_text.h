#pragma once

// What heddle why prints: at most four sentences, the largest share first, and one that sums up the rest.

#include <string>

#include "models/core/config_node.h"
#include "testbench/why/causes.h"
#include "testbench/why/differences.h"

namespace heddle::why {

std::string text_of(const Causes& causes);
/// `own`, `other`: the files, which the sentences name.
std::string text_of(const Causes& own, const Causes& other, const Differences& differences,
                    const std::string& own_name, const std::string& other_name);

ConfigNode tree_of(const Causes& causes);
ConfigNode tree_of(const Differences& differences);

}  // namespace heddle::why
