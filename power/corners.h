#pragma once

// Selects whether the values of a technology file (table of prices) are taken at the low, nominal or high end
// of their ranges. A named value may have a range: {"value": 4.7, "low": 3.9, "high": 5.6, "source": ...}. A
// run uses `value` unless the configuration key power.corners selects something else.

#include <string>
#include <vector>

#include "power/technology.h"

namespace heddle::power {

/// Applies choices to the named values of all technologies (tables of prices). A choice is "low", "nominal"
/// or "high" for all values with a range, "NAME=low" (or another end) for one value, or "NAME=0.25" to
/// replace a value by a number. Later choices override earlier choices. Throws Error at `where` if a choice
/// is not valid, if no technology has a value of this name, or if the value lacks the chosen end of its
/// range.
void choose_corners(std::vector<Technology>& technologies, const std::vector<std::string>& choices,
                    const std::string& where);

}  // namespace heddle::power
