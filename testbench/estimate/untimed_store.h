#pragma once

// Stores untimed executions in a folder for all runs that need the same ones: points of an experiment differ
// in their hardware, while machine program and reference mostly stay the same.

#include <cstddef>
#include <optional>
#include <string>

#include "testbench/estimate/untimed_parts.h"

namespace heddle::estimate {

class UntimedStore {
 public:
  /// Shorter executions, in warp-instructions, are faster to repeat than to read.
  static constexpr std::uint64_t kLeastInstructions = 20000;
  /// Longer files are not stored.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// An empty name disables storing. The folder is created on first use; several processes may share it.
  /// `threads`: number of threads that execute missing entries.
  explicit UntimedStore(std::string folder, int threads = 1)
      : folder_(std::move(folder)), threads_(threads) {}

  /// As execute_in_parts, or the stored result of an equal execution. Truncated files and files with another
  /// key are ignored. A stored result does not call `options.stop`.
  UntimedExecution execute(const isa::KernelLaunch& launch, MemoryImage& memory,
                           const reference::ReferenceOptions& options, std::size_t cache_lines = 0) const;

 private:
  std::optional<UntimedExecution> find(const std::string& key, const isa::KernelLaunch& launch,
                                       MemoryImage& memory, const reference::ReferenceOptions& options) const;
  void keep(const std::string& key, const UntimedExecution& execution, const MemoryImage& before,
            const MemoryImage& after) const;
  std::string file_of(const std::string& key) const { return folder_ + "/" + key + ".untimed"; }

  std::string folder_;
  int threads_;
};

}  // namespace heddle::estimate
