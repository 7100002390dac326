#pragma once

// Stores untimed executions in a folder, so that the runs of an experiment share them. Most runs of an
// experiment differ only in hardware, so they have the same compiled programs and reference results.

#include <cstddef>
#include <string>

#include "testbench/estimate/untimed_file.h"

namespace heddle::estimate {

class UntimedStore {
 public:
  /// Minimum number of warp-instructions of a stored execution. A shorter execution takes less time to repeat
  /// than to read.
  static constexpr std::uint64_t kLeastInstructions = 20000;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// Opens the folder that stores untimed executions. `folder` is created at first use; several processes may
  /// share it. An empty name turns the store off. `threads`: number of threads for executions that are not
  /// stored. Throws Error if `folder` is a file.
  explicit UntimedStore(std::string folder, int threads = 1);

  /// Returns the result of executing `launch` untimed. If the folder stores the result of an execution with
  /// the same key, reads it; otherwise calls execute_in_parts and stores the result. Does not call
  /// `options.stop` for a stored result. Replaces an unusable file, with a warning on standard error.
  /// Launches that replay clock reads (run/machine_reads.h) are not stored.
  UntimedExecution execute(const isa::KernelLaunch& launch, MemoryImage& memory,
                           const reference::ReferenceOptions& options, std::size_t cache_lines = 0) const;

 private:
  /// Reads the stored execution with this key; the result is empty if there is no file. If the file cannot be
  /// used, `unfit` in the result contains the reason, which begins with the file's name.
  UntimedFile find(const std::string& key, const isa::KernelLaunch& launch, MemoryImage& memory,
                   const reference::ReferenceOptions& options) const;
  void keep(const std::string& key, const UntimedExecution& execution, const MemoryImage& before,
            const MemoryImage& after) const;
  std::string file_of(const std::string& key) const { return folder_ + "/" + key + ".untimed"; }

  std::string folder_;
  int threads_;
};

}  // namespace heddle::estimate
