#pragma once

// A random machine for a program: a preset with some changed parameters and a part of every registered
// family. If a family has n parts, each one is in every n-th setting. random_parts.cpp has the requirements
// of parts.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::fuzz {

struct RandomSetting {
  std::string preset;
  std::vector<std::string> sets;  ///< "gpu.sm.issue_width=2": for `heddle run --set`
  run::RunParameters parameters() const;
};

/// Seeds count from 1.
RandomSetting random_setting(std::uint64_t seed);

/// Returns every part that random settings can have: "gpu.sm.scheduler: gto". Parts whose names begin with
/// "toy-" or "test-" belong to tests and are left out.
std::set<std::string> drawable_parts();
/// Returns all parts of a configuration.
std::set<std::string> parts_of(run::RunParameters parameters);
/// Returns the number of settings in which every part occurs `kSettingsPerPart` times: 300 while no family
/// has more than five parts.
inline constexpr std::uint64_t kSettingsPerPart = 60;
std::uint64_t enough_settings();

}  // namespace heddle::fuzz
