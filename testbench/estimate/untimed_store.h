#pragma once

// Stores untimed executions in a folder, so that other runs need not repeat them. Runs of an experiment
// differ in their hardware, but the compiled program and the results of the reference mostly stay the same.

#include <cstddef>
#include <string>

#include "testbench/estimate/untimed_file.h"

namespace heddle::estimate {

class UntimedStore {
 public:
  /// Least length in warp-instructions of a stored execution. Shorter executions are faster to repeat than to
  /// read.
  static constexpr std::uint64_t kLeastInstructions = 20000;
  /// Largest size of a stored file in bytes.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// `folder`: created at first use. Several processes may share the folder. An empty name turns the store
  /// off. `threads`: number of threads for executions that are not stored. Throws Error if `folder` is the
  /// name of a file.
  explicit UntimedStore(std::string folder, int threads = 1);

  /// Does the same as execute_in_parts, or returns the stored result of an equal execution. Replaces a
  /// truncated or changed file, a file of another execution, a folder or a pipe, with a warning on standard
  /// error. A stored result does not call `options.stop`. Launches with a record of reads
  /// (run/machine_reads.h) are neither stored nor found.
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
