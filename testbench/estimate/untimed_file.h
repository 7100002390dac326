#pragma once

// File of an untimed execution: its key, the counts, the lines of caches, the changed memory, and the hash of all
// bytes before it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "testbench/estimate/untimed_parts.h"

namespace heddle::estimate {

/// Returns the bytes of a file. `before`, `after`: the memory around the execution.
std::vector<std::uint8_t> untimed_file(const std::string& key, const UntimedExecution& execution,
                                       const MemoryImage& before, const MemoryImage& after);

/// Returns a file of this key whose contents after the key are `content`. For tests: the file passes the checks of key
/// and hash.
std::vector<std::uint8_t> sealed_untimed_file(const std::string& key, std::span<const std::uint8_t> content);

struct UntimedFile {
  std::optional<UntimedExecution> execution;
  std::string unfit;  ///< why the file is not used; empty without an execution: it is longer than the limit
};

/// Reads a file and changes `memory` to the memory after the execution. Some files are not used, and `memory`
/// is then unchanged: a truncated or changed file, a file with another key, and a file with lists that do not
/// fit the launch. `most_warp_instructions`: limit of the execution; 0: none.
UntimedFile read_untimed_file(std::span<const std::uint8_t> file, const std::string& key,
                              const isa::KernelLaunch& launch, std::uint64_t most_warp_instructions,
                              MemoryImage& memory);

}  // namespace heddle::estimate
