#pragma once

// Runs a random program on the untimed reference and on a random timed machine, and compares all of memory.

#include <cstdint>
#include <functional>
#include <string>

#include "models/gpu/gpu.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/program_generator.h"
#include "tests/support/random_setting.h"

namespace heddle::fuzz {

struct FuzzCase {
  std::uint64_t seed = 0;
  RandomProgram program;
  RandomSetting setting;
};

FuzzCase make_case(std::uint64_t seed);

/// Runs a case. Returns "" if memory equals the memory of the reference and all counters add up. Otherwise
/// returns a text with the first violation. Adds the executed features to `coverage`. `sabotage` may change
/// the compiled program; `built` may change the machine before its first cycle.
std::string run_case(const FuzzCase& fuzz, Coverage& coverage,
                     const std::function<void(isa::Program&)>& sabotage = {},
                     const std::function<void(Gpu&)>& built = {});

/// Returns "" if all buffers and variables of both images are equal, otherwise a text with the first
/// difference.
std::string difference(const MemoryImage& timed, const MemoryImage& reference);

/// Writes program.ptx, launch.json and scenario.json, so that `heddle run scenario.json` repeats the case. Throws
/// Error if the folder cannot be written.
void keep_case(const FuzzCase& fuzz, const std::string& folder);

}  // namespace heddle::fuzz
