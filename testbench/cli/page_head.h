#pragma once

// The sentences of `heddle why` at the beginning of a report page.

#include <string>

#include "models/core/config_node.h"
#include "testbench/why/places.h"

namespace heddle::cli {

/// Returns the sentences about the cycles of a result.json or program.json, by the rules of configs/rules.
/// `places`: the run's profile, from which the sentences take source lines. Returns an empty text if nothing was timed.
std::string why_text_of(const ConfigNode& result, const why::Places& places);

}  // namespace heddle::cli
