#pragma once

// A random machine for a program: a preset with some parameters changed and a part of every registered
// family. Parts are dealt like cards: of a family with n parts, each is in every n-th setting. Requirements
// of parts are in random_parts.cpp.

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

/// Every part that random settings can have: "gpu.sm.scheduler: gto". Parts whose names begin with "toy-" or
/// "test-" belong to tests and are not drawn.
std::set<std::string> drawable_parts();
/// The parts that a configuration has, wherever in it they stand.
std::set<std::string> parts_of(run::RunParameters parameters);
/// As many settings as let every part stand in `kSettingsPerPart` of them: 300 while no family has more than five.
inline constexpr std::uint64_t kSettingsPerPart = 60;
std::uint64_t enough_settings();

}  // namespace heddle::fuzz
