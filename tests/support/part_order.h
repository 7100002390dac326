#pragma once

// Puts register stages, front-end stages and compiler passes into the order that their types require
// (models/core/part_order.h).

#include <string>
#include <vector>

namespace heddle::testing_support {

/// Returns the parts as JSON separated by commas, in the required order. `list`: "stages", "front_end_stages"
/// or "passes". Parts without a required position come last.
std::string in_order(const char* list, std::vector<std::string> parts);

/// Returns a value for `compiler.passes`: the default clean-up passes, if `clean_ups` is set, then `parts`.
std::string pass_list(bool clean_ups, const std::vector<std::string>& parts);
/// Returns a value for `gpu.sm.register_file.stages`: `parts`, then the banks.
std::string stage_list(const std::vector<std::string>& parts);

}  // namespace heddle::testing_support
