#pragma once

// The page of microbenchmarks: measured figures of the presets next to published ones of the real GPUs.

#include <string>
#include <vector>

namespace heddle::microbench {

/// Presets of the page, in its order.
const std::vector<std::string>& presets();
std::string page_head();
/// One preset's part of the page.
std::string section(const std::string& preset);
/// Measurements under changed parameters.
std::string switches();
/// The numbered sources of published figures, which the tables name by number.
std::string sources();

}  // namespace heddle::microbench
