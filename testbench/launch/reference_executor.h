#pragma once

// Runs the launches of a launch file on the untimed reference.

#include <map>
#include <string>

#include "models/reference/reference.h"
#include "testbench/launch/launch_run.h"

namespace heddle::launch {

class ReferenceExecutor : public LaunchExecutor {
 public:
  explicit ReferenceExecutor(reference::ReferenceOptions options = {}) : options_(options) {}

  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    const reference::ReferenceResult result = reference::run_reference(launch, memory, options_);
    const auto [kernel, first] = by_kernel_.try_emplace(launch.program->kernel, result);
    if (!first) kernel->second += result;
    total_ += result;
    ++launches_;
  }

  void round() override {
    if (options_.stop && options_.stop()) throw reference::StoppedError("", "stopped");
  }

  std::uint64_t launches() const { return launches_; }
  /// Returns the sum of all launches' counts, without the counts by position in the program (such as
  /// ReferenceResult::issues).
  const reference::ReferenceResult& total() const { return total_; }
  const std::map<std::string, reference::ReferenceResult>& by_kernel() const { return by_kernel_; }

 private:
  reference::ReferenceOptions options_;
  std::uint64_t launches_ = 0;
  reference::ReferenceResult total_;
  std::map<std::string, reference::ReferenceResult> by_kernel_;
};

}  // namespace heddle::launch
