#pragma once

// A random machine for a program to run on: a preset with parameters changed here and there.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::fuzz {

struct RandomSetting {
  std::string preset;
  std::vector<std::string> sets;  ///< "gpu.sm.issue_width=2": for `heddle run --set`
  run::RunParameters parameters() const;
};

RandomSetting random_setting(std::uint64_t seed);

}  // namespace heddle::fuzz
