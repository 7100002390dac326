#pragma once

// Compares the outputs of two runs.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "testbench/launch/launch_run.h"

namespace heddle::launch {

struct BufferComparison {
  std::string buffer;
  bool equal = true;
  std::uint64_t count = 0;
  std::uint64_t differing = 0;
  std::uint64_t first_index = 0;
  std::string actual, expected;
  double largest_error = 0;  ///< largest |x - y| over all elements without NaN

  /// Returns text such as "buffer c: 3 of 4096 elements differ, the first at index 17: 1.5, expected 1.25".
  std::string report() const;
};

/// Compares two buffers; without a tolerance, bit by bit. With a tolerance, NaN equals NaN, and an infinity
/// equals itself. Buffers of different type or length count as different.
BufferComparison compare_buffers(const BufferView& actual, const BufferView& expected,
                                 const Tolerance& tolerance);

/// Compares each output of two runs, with the tolerance that the launch file states for the output.
std::vector<BufferComparison> compare_outputs(const std::vector<BufferView>& actual,
                                              const std::vector<BufferView>& expected);

/// Compares the buffers after a run with the contents that the program's buffers had after the captured
/// launch. Compares nothing if `heddle exec --capture` has not written the launch file.
std::vector<BufferComparison> compare_captured(const LaunchFile& file, const LaunchRun& run);

struct WordDifferences {
  std::uint64_t differing = 0;
  std::uint64_t first_byte = 0;
  std::uint32_t actual = 0, expected = 0;
};
WordDifferences compare_words(std::span<const std::uint8_t> actual, std::span<const std::uint8_t> expected);

/// Returns the descriptions of all buffers that differ, one per line; empty if all are equal.
std::string report_differences(const std::vector<BufferComparison>& comparisons);

}  // namespace heddle::launch
