#pragma once

// Writes the page of microbenchmarks, which compares measured values of the presets with published values of
// real GPUs.

#include <string>
#include <vector>

namespace heddle::microbench {

const std::vector<std::string>& presets();
std::string page_head();
std::string section(const std::string& preset);
std::string switches();
std::string sources();

}  // namespace heddle::microbench
