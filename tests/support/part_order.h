#pragma once

// Lists of parts in the order that their types say (models/core/part_order.h).

#include <string>
#include <vector>

namespace heddle::testing_support {

/// The parts of one list ("stages", "front_end_stages", "passes": a key of a technique), each as JSON, joined by
/// commas. Parts that do not say where they stand are after all others.
std::string in_order(const char* list, std::vector<std::string> parts);

/// Value of `compiler.passes`: the default clean-ups, or none, followed by `parts`.
std::string pass_list(bool clean_ups, const std::vector<std::string>& parts);
/// The value of `gpu.sm.register_file.stages`: `parts` above the banks.
std::string stage_list(const std::vector<std::string>& parts);

}  // namespace heddle::testing_support
