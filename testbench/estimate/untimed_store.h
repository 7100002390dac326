#pragma once

// Stores untimed executions in a folder. The runs of an experiment mostly share compiled programs and
// reference results, and differ in their hardware.

#include <cstddef>
#include <string>

#include "testbench/estimate/untimed_file.h"

namespace heddle::estimate {

class UntimedStore {
 public:
  /// Least warp-instructions of a stored execution. Shorter executions are faster to repeat than to read.
  static constexpr std::uint64_t kLeastInstructions = 20000;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// `folder`: created at first use; several processes may share it; an empty name turns the store off.
  /// `threads`: for executions that are not stored. Throws Error if `folder` is a file.
  explicit UntimedStore(std::string folder, int threads = 1);

  /// Calls execute_in_parts, or returns the stored result of an equal execution without calling
  /// `options.stop`. Replaces an unusable file with a warning on standard error. Launches with recorded clock
  /// reads (run/machine_reads.h) are not stored.
  UntimedExecution execute(const isa::KernelLaunch& launch, MemoryImage& memory,
                           const reference::ReferenceOptions& options, std::size_t cache_lines = 0) const;

 private:
  /// Returns the stored execution; nothing if there is no file. `unfit` begins with the file's name.
  UntimedFile find(const std::string& key, const isa::KernelLaunch& launch, MemoryImage& memory,
                   const reference::ReferenceOptions& options) const;
  void keep(const std::string& key, const UntimedExecution& execution, const MemoryImage& before,
            const MemoryImage& after) const;
  std::string file_of(const std::string& key) const { return folder_ + "/" + key + ".untimed"; }

  std::string folder_;
  int threads_;
};

}  // namespace heddle::estimate
