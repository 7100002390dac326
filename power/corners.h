#pragma once

// Selects the low, nominal or high end of the ranges in technology files. A named value may have a range:
// {"value": 4.7, "low": 3.9, "high": 5.6, "source": ...}. A run uses `value` unless the configuration key
// power.corners selects something else.

#include <string>
#include <vector>

#include "power/technology.h"

namespace heddle::power {

/// Applies choices to the named values of all technologies: "low", "nominal" or "high" for all ranges,
/// "NAME=low" for the value NAME, or "NAME=0.25" to replace this value. Later choices override earlier ones.
/// Throws Error at `where` for an invalid choice, an unknown name, or a missing end of a range.
void choose_corners(std::vector<Technology>& technologies, const std::vector<std::string>& choices,
                    const std::string& where);

}  // namespace heddle::power
