#pragma once

// Which ends of the ranges of their values technologies are read at. A named value may have a range beside its
// figure, {"value": 4.7, "low": 3.9, "high": 5.6, "source": ...}; a run takes the figure unless it says otherwise
// (power.corners).

#include <string>
#include <vector>

#include "power/technology.h"

namespace heddle::power {

/// Puts other numbers in place of values. A choice is "low", "nominal" or "high", for every value that has a range;
/// "NAME=low" (or the others) for one value; or "NAME=0.25", a number in its place. Later choices win. A value of
/// that name changes in every technology that has it. Throws Error (`where`) for a choice of another form, a name that
/// no technology has, and an end of a range that the value does not have.
void choose_corners(std::vector<Technology>& technologies, const std::vector<std::string>& choices,
                    const std::string& where);

}  // namespace heddle::power
