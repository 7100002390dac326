#pragma once

// Puts lists of parts into the order that their types require (models/core/part_order.h).

#include <string>
#include <vector>

namespace heddle::testing_support {

/// Returns the parts of one list ("stages", "front_end_stages", "passes": a key of a technique), each as
/// JSON, joined by commas. Parts without a required position come last.
std::string in_order(const char* list, std::vector<std::string> parts);

/// Returns the value of `compiler.passes`: the default clean-ups, or none, followed by `parts`.
std::string pass_list(bool clean_ups, const std::vector<std::string>& parts);
/// Returns the value of `gpu.sm.register_file.stages`: `parts` above the banks.
std::string stage_list(const std::vector<std::string>& parts);

}  // namespace heddle::testing_support
