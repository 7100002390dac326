#pragma once

// Lists the kernels in testbench/kernels for parameterised tests.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "testbench/run/data_files.h"

namespace heddle::testing_support {

inline const std::filesystem::path kKernels = "testbench/kernels";

/// Returns the sorted names of kernels with a small launch file. If the test does not run in the root of the
/// source tree, returns none; gtest then reports a test without parameters.
inline std::vector<std::string> kernels() {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(kKernels, missing))
    if (std::filesystem::exists(entry.path() / "small.json"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Returns the techniques that presets need to run the kernel: matrix-unit if the kernel multiplies matrices.
inline std::vector<std::string> techniques_of(const std::string& kernel) {
  if (!run::needs_matrix_units(kernel)) return {};
  return {"matrix-unit"};
}

inline std::string small_launch(const std::string& kernel) {
  return (kKernels / kernel / "small.json").string();
}

}  // namespace heddle::testing_support
