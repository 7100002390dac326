#pragma once

// The recording as JSON that is safe inside an HTML page, in the form that page/*.js reads.

#include <string>

#include "testbench/view/recording.h"

namespace heddle::view {

std::string json_of(const Recording& recording);

/// Returns the last cycle of the window up to which the JSON has at most `most` bytes.
Cycle last_cycle_within(const Recording& recording, std::uint64_t most);

}  // namespace heddle::view
