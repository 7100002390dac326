#pragma once

// The page of microbenchmarks: what the presets measure, beside what is published of the real GPUs.

#include <string>
#include <vector>

namespace heddle::microbench {

/// Presets of the page, in its order.
const std::vector<std::string>& presets();
std::string page_head();
/// One preset's part of the page.
std::string section(const std::string& preset);
/// The last part: what a measurement becomes by a parameter.
std::string switches();

}  // namespace heddle::microbench
