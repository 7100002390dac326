#pragma once

// The page of microbenchmarks: measured values of the presets, compared with published values of real GPUs.

#include <string>
#include <vector>

namespace heddle::microbench {

/// Returns the presets on the page of microbenchmarks, in order.
const std::vector<std::string>& presets();
std::string page_head();
std::string section(const std::string& preset);
/// Returns the section of the microbenchmark page with measurements for changed parameters.
std::string switches();
/// Returns the numbered list of sources of the published values.
std::string sources();

}  // namespace heddle::microbench
