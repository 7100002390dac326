#pragma once

// Writes the recording as JSON in the form that page/*.js reads. The text is safe inside an HTML page.

#include <string>

#include "testbench/view/recording.h"

namespace heddle::view {

std::string json_of(const Recording& recording);

/// Returns the last cycle up to which the recorded cycles can be written as JSON of at most `most` bytes.
Cycle last_cycle_within(const Recording& recording, std::uint64_t most);

}  // namespace heddle::view
