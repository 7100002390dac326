#pragma once

// Selects the ends of value ranges at which technologies are evaluated. A named value may have a range:
// {"value": 4.7, "low": 3.9, "high": 5.6, "source": ...}. A run uses `value` unless power.corners selects
// something else.

#include <string>
#include <vector>

#include "power/technology.h"

namespace heddle::power {

/// Applies choices to the values of all technologies. A choice is "low", "nominal" or "high" for all values
/// with a range, "NAME=low" (or another end) for one value, or "NAME=0.25" to replace a value by a number.
/// Later choices override earlier ones. Throws Error at `where` for an invalid choice, an unknown name, and
/// an end of a range that the value does not have.
void choose_corners(std::vector<Technology>& technologies, const std::vector<std::string>& choices,
                    const std::string& where);

}  // namespace heddle::power
