#pragma once

// The page of microbenchmarks: measured figures of presets compared with published ones of real GPUs.

#include <string>
#include <vector>

namespace heddle::microbench {

/// Returns the presets of the page in order.
const std::vector<std::string>& presets();
std::string page_head();
std::string section(const std::string& preset);
/// Returns the section of measurements with changed parameters.
std::string switches();
/// Returns the numbered sources of published figures.
std::string sources();

}  // namespace heddle::microbench
