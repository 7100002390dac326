#pragma once

// Compares the outputs of two runs.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "testbench/launch/launch_run.h"

namespace heddle::launch {

/// Result of comparing one buffer of two runs.
struct BufferComparison {
  std::string buffer;
  bool equal = true;
  std::uint64_t count = 0;
  std::uint64_t differing = 0;    ///< elements beyond the tolerance
  std::uint64_t first_index = 0;  ///< index of the first of them
  std::string actual, expected;   ///< its two values
  double largest_error = 0;       ///< largest |x - y| over all elements without NaN

  /// "buffer c: 3 of 4096 elements differ, the first at index 17: 1.5, expected 1.25"
  std::string report() const;
};

/// Exact comparison is bit for bit. With a tolerance two NaNs, and equal infinities, agree. Buffers of
/// different type or length do not.
BufferComparison compare_buffers(const BufferView& actual, const BufferView& expected,
                                 const Tolerance& tolerance);

/// Compares output by output, each by its own rule (`compare` of `expected`).
std::vector<BufferComparison> compare_outputs(const std::vector<BufferView>& actual,
                                              const std::vector<BufferView>& expected);

/// Buffers that a captured launch should have left, after the run. Empty for other launches.
std::vector<BufferComparison> compare_captured(const LaunchFile& file, const LaunchRun& run);

/// Words of 4 bytes (the last may be shorter) that differ between two images of equal length.
struct WordDifferences {
  std::uint64_t differing = 0;
  std::uint64_t first_byte = 0;            ///< offset of the first of them
  std::uint32_t actual = 0, expected = 0;  ///< its two values
};
WordDifferences compare_words(std::span<const std::uint8_t> actual, std::span<const std::uint8_t> expected);

/// Reports of the buffers that differ, one a line; empty if all agree.
std::string report_differences(const std::vector<BufferComparison>& comparisons);

}  // namespace heddle::launch
