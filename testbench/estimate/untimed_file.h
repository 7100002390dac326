#pragma once

// File that stores the results of an untimed execution. It contains the key (untimed_key.h), the counts, the
// records of accessed cache lines, the changed memory, and a hash of all bytes before the hash.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "testbench/estimate/untimed_parts.h"

namespace heddle::estimate {

/// Returns the contents of a file that stores `execution`. `before`, `after`: memory before and after it.
std::vector<std::uint8_t> untimed_file(const std::string& key, const UntimedExecution& execution,
                                       const MemoryImage& before, const MemoryImage& after);

/// For tests: returns a file with valid key and hash around `content`.
std::vector<std::uint8_t> sealed_untimed_file(const std::string& key, std::span<const std::uint8_t> content);

struct UntimedFile {
  std::optional<UntimedExecution> execution;
  /// Reason why the file cannot be used. Empty if the file is used, or if its execution is longer than
  /// `most_warp_instructions`.
  std::string unfit;
};

/// Reads a file and changes `memory` to the memory after the stored execution. Leaves `memory` unchanged if
/// the file is damaged, has another key, or does not fit the launch. `most_warp_instructions`: largest
/// permitted length of the stored execution; 0: no limit.
UntimedFile read_untimed_file(std::span<const std::uint8_t> file, const std::string& key,
                              const isa::KernelLaunch& launch, std::uint64_t most_warp_instructions,
                              MemoryImage& memory);

}  // namespace heddle::estimate
