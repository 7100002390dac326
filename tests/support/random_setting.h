#pragma once

// Makes a random machine: a preset with some changed parameters, and with parts of every registered family.
// In a family of n parts, each part occurs in every n-th setting.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::fuzz {

struct RandomSetting {
  std::string preset;
  std::vector<std::string> sets;
  run::RunParameters parameters() const;
};

RandomSetting random_setting(std::uint64_t seed);
/// Returns the presets that random settings change. Presets whose compiler sets control bits are left out.
const std::vector<std::string>& drawable_presets();

/// Returns the parts that random settings can contain, such as "gpu.sm.scheduler: gto". Leaves out parts of
/// tests ("toy-...", "test-...") and parts that need control bits.
std::set<std::string> drawable_parts();
std::set<std::string> parts_of(run::RunParameters parameters);
/// Number of random settings in which each part of a family must occur. enough_settings() returns the total
/// number of settings for this: 300 for families of up to five parts.
inline constexpr std::uint64_t kSettingsPerPart = 30;
std::uint64_t enough_settings();

}  // namespace heddle::fuzz
