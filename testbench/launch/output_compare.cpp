#include "testbench/launch/output_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "models/core/error.h"

namespace heddle::launch {
namespace {

bool within(double x, double y, const Tolerance& tolerance) {
  if (x == y || (std::isnan(x) && std::isnan(y))) return true;
  return std::fabs(x - y) <= tolerance.absolute + tolerance.relative * std::fabs(y) && std::isfinite(y);
}

}  // namespace

std::string BufferComparison::report() const {
  if (equal) return fmt::format("buffer {}: all {} elements agree", buffer, count);
  if (differing == 0) return fmt::format("buffer {}: {}, expected {}", buffer, actual, expected);
  return fmt::format("buffer {}: {} of {} elements differ, the first at index {}: {}, expected {}", buffer,
                     differing, count, first_index, actual, expected);
}

BufferComparison compare_buffers(const BufferView& actual, const BufferView& expected,
                                 const Tolerance& tolerance) {
  BufferComparison result;
  result.buffer = expected.name;
  result.count = expected.count();
  if (actual.type != expected.type || actual.data.size() != expected.data.size()) {
    result.equal = false;
    result.actual = fmt::format("{} elements of {}", actual.count(), name_of(actual.type));
    result.expected = fmt::format("{} of {}", expected.count(), name_of(expected.type));
    return result;
  }
  const std::size_t bytes = bytes_of(expected.type);
  for (std::uint64_t i = 0; i < result.count; ++i) {
    const std::uint8_t* const a = actual.data.data() + i * bytes;
    const std::uint8_t* const e = expected.data.data() + i * bytes;
    if (std::memcmp(a, e, bytes) == 0) continue;
    const double x = element_as_real(actual.type, a), y = element_as_real(expected.type, e);
    const double error = std::fabs(x - y);
    if (error > result.largest_error) result.largest_error = error;
    if (!tolerance.exact && within(x, y, tolerance)) continue;
    if (result.differing++ == 0) {
      result.first_index = i;
      result.actual = element_text(actual.type, a);
      result.expected = element_text(expected.type, e);
    }
  }
  result.equal = result.differing == 0;
  return result;
}

std::vector<BufferComparison> compare_outputs(const std::vector<BufferView>& actual,
                                              const std::vector<BufferView>& expected) {
  if (actual.size() != expected.size()) throw InternalError("two runs of one program with different outputs");
  std::vector<BufferComparison> result;
  for (std::size_t i = 0; i < expected.size(); ++i)
    result.push_back(compare_buffers(actual[i], expected[i], expected[i].compare));
  return result;
}

std::vector<BufferComparison> compare_captured(const LaunchFile& file, const LaunchRun& run) {
  std::vector<BufferComparison> comparisons;
  for (const BufferSpec& spec : file.buffers) {
    if (!spec.expected) continue;
    const std::vector<std::uint8_t> data = read_pages(*spec.expected);
    const BufferView actual = run.buffer(spec.name);
    BufferView expected = actual;
    expected.data = data;
    comparisons.push_back(compare_buffers(actual, expected, {}));
    comparisons.back().buffer += " (captured)";
  }
  return comparisons;
}

WordDifferences compare_words(std::span<const std::uint8_t> actual, std::span<const std::uint8_t> expected) {
  WordDifferences result;
  if (std::memcmp(actual.data(), expected.data(), expected.size()) == 0) return result;
  for (std::size_t at = 0; at < expected.size(); at += sizeof(std::uint32_t)) {
    const std::size_t bytes = std::min(sizeof(std::uint32_t), expected.size() - at);
    if (std::memcmp(&actual[at], &expected[at], bytes) == 0 || result.differing++ != 0) continue;
    result.first_byte = at;
    std::memcpy(&result.actual, &actual[at], bytes);
    std::memcpy(&result.expected, &expected[at], bytes);
  }
  return result;
}

std::string report_differences(const std::vector<BufferComparison>& comparisons) {
  std::string text;
  for (const auto& c : comparisons) {
    if (!c.equal) text += c.report() + "\n";
  }
  return text;
}

}  // namespace heddle::launch
