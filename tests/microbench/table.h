#pragma once

// The page of microbenchmarks: measured values of the presets, compared with published values of real GPUs.

#include <string>
#include <vector>

namespace heddle::microbench {

const std::vector<std::string>& presets();
std::string page_head();
std::string section(const std::string& preset);
std::string switches();
std::string sources();

}  // namespace heddle::microbench
