#pragma once

// What timed CTAs wrote, against the untimed reference: it executes the same CTAs, as the PTX says them before any pass,
// on a copy of the memory that they began with.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/gpu/cta_dispatcher.h"
#include "models/reference/reference.h"
#include "testbench/launch/launch_run.h"

namespace heddle::run {

class TimedWords {
 public:
  /// `outputs`: those of the timed run, as they are now. `any_order`: results may depend on more than the data, so that
  /// outputs alone are compared, each by its own rule; else all memory is, bit for bit.
  TimedWords(std::function<std::vector<launch::BufferView>()> outputs, bool any_order)
      : outputs_(std::move(outputs)), any_order_(any_order) {}

  /// The CTAs of the launch at hand that were timed.
  void timed(std::vector<DispatchRange> ranges) { ranges_ = std::move(ranges); }
  /// `launch`: as it was timed. `expected`: memory before it; the reference's afterwards. `actual`: after the timed CTAs.
  void compare(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> parsed,
               reference::ReferenceOptions options, MemoryImage& expected, MemoryImage& actual);

  /// The first ones, one a line: "launch 3, kernel k: ...".
  const std::vector<std::string>& differences() const { return differences_; }
  std::uint64_t launches_compared() const { return launches_; }
  /// 32-bit words of the run's outputs, and how many of them timed CTAs have written and were compared.
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
  std::map<std::uint64_t, std::vector<bool>> written_;  ///< words of outputs, by the address of the buffer
  std::vector<std::string> differences_;
  std::uint64_t launches_ = 0;
};

}  // namespace heddle::run
