#pragma once

// Compares the memory writes of timed CTAs with the untimed reference. The reference executes the same CTAs
// of the PTX program on a copy of the memory.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/gpu/cta_dispatcher.h"
#include "models/reference/reference.h"
#include "testbench/launch/launch_run.h"

namespace heddle::estimate {

class TimedWords {
 public:
  /// Prepares to compare timed CTAs with the reference. `outputs`: returns the output buffers of the timed
  /// run. `any_order`: true if results may depend on the order of threads or on time. In this case, only
  /// outputs are compared, with their tolerances. Otherwise all memory is compared bit by bit.
  TimedWords(std::function<std::vector<launch::BufferView>()> outputs, bool any_order)
      : outputs_(std::move(outputs)), any_order_(any_order) {}

  /// Sets the CTAs of the current launch that are timed, and whose writes are compared.
  void timed(std::vector<DispatchRange> ranges) { ranges_ = std::move(ranges); }
  /// Executes the timed CTAs on the reference, and compares the memory after it with the memory after the
  /// timed run. `expected`: memory before the launch, which receives the reference's results. `actual`:
  /// memory after the timed CTAs.
  void compare(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> parsed,
               reference::ReferenceOptions options, MemoryImage& expected, MemoryImage& actual);

  /// Returns the first differences between timed CTAs and reference, one per line: "launch 3, kernel k: ...".
  const std::vector<std::string>& differences() const { return differences_; }
  std::uint64_t launches_compared() const { return launches_; }
  /// Return the number of 32-bit words in the run's outputs, and the number of these words that timed CTAs
  /// wrote. Only words that timed CTAs wrote are compared.
  std::uint64_t output_words() const;
  std::uint64_t written_words() const;

 private:
  class Marks;
  void compare_memory(const std::string& where, const MemoryImage& expected, const MemoryImage& actual);
  void compare_outputs(const std::string& where, MemoryImage& expected);
  void add(const std::string& where, const std::string& what);

  std::function<std::vector<launch::BufferView>()> outputs_;
  bool any_order_;
  std::vector<DispatchRange> ranges_;
  /// for each output buffer, by address: true for each word that timed CTAs have written
  std::map<std::uint64_t, std::vector<bool>> written_;
  std::vector<std::string> differences_;
  std::uint64_t launches_ = 0;
};

}  // namespace heddle::estimate
