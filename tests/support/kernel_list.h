#pragma once

// The kernels of testbench/kernels, by their folders.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::testing_support {

inline const std::filesystem::path kKernels = "testbench/kernels";

/// Returns the kernels with a small launch, sorted. Returns none if the tests do not run in the root of the
/// tree; gtest then reports a test without kernels.
inline std::vector<std::string> kernels() {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(kKernels, missing))
    if (std::filesystem::exists(entry.path() / "small.json"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string small_launch(const std::string& kernel) {
  return (kKernels / kernel / "small.json").string();
}

}  // namespace heddle::testing_support
