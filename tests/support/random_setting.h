#pragma once

// Makes a random machine for a program: a preset with some changed parameters and one part of every
// registered family. If a family has n parts, each one occurs in every n-th setting. random_parts.cpp has the
// requirements of parts.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::fuzz {

struct RandomSetting {
  std::string preset;
  std::vector<std::string> sets;  ///< settings for `heddle run --set`, for example "gpu.sm.issue_width=2"
  run::RunParameters parameters() const;
};

/// Returns the setting for a seed. Seeds start from 1.
RandomSetting random_setting(std::uint64_t seed);

/// Returns every part that random settings can have, for example "gpu.sm.scheduler: gto". Parts whose names
/// begin with "toy-" or "test-" belong to tests and are left out.
std::set<std::string> drawable_parts();
/// Returns all parts that a configuration uses.
std::set<std::string> parts_of(run::RunParameters parameters);
/// Number of settings for each part of a family. enough_settings() returns the number of settings in which
/// every part occurs this often: 300 if no family has more than five parts.
inline constexpr std::uint64_t kSettingsPerPart = 60;
std::uint64_t enough_settings();

}  // namespace heddle::fuzz
