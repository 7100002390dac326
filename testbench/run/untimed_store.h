#pragma once

// Untimed executions that are made once and kept in a folder, for all runs that need the same: points of an experiment
// differ in their hardware, while the machine program and the reference of a launch mostly stay the same.

#include <cstddef>
#include <optional>
#include <string>

#include "testbench/run/untimed_parts.h"

namespace heddle::run {

class UntimedStore {
 public:
  /// Executions of fewer warp-instructions are sooner made again than read.
  static constexpr std::uint64_t kLeastInstructions = 20000;
  /// Longer ones are not kept.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// An empty name: nothing is kept. The folder is made when something is; several processes may share it.
  /// `threads`: that execute what is not found.
  explicit UntimedStore(std::string folder, int threads = 1)
      : folder_(std::move(folder)), threads_(threads) {}

  /// As execute_in_parts; or what an equal execution came to before.
  /// Files that are torn or another's are not believed. What is found does not ask `options.stop`.
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

}  // namespace heddle::run
