#include "tests/on_gpu/difference.h"

#include <algorithm>
#include <cstdio>

namespace heddle::on_gpu {

namespace {

struct Format {
  int bits = 0, fraction = 0;
};

Format format_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::f16:
    case ValueKind::f16x2:
      return {16, 10};
    case ValueKind::bf16:
    case ValueKind::bf16x2:
      return {16, 7};
    case ValueKind::f32:
      return {32, 23};
    case ValueKind::f64:
      return {64, 52};
    case ValueKind::bits:
      break;
  }
  return {};
}

bool is_pair(ValueKind kind) { return kind == ValueKind::f16x2 || kind == ValueKind::bf16x2; }

std::uint64_t magnitude(Format format, std::uint64_t bits) {
  return bits & ((std::uint64_t{1} << (format.bits - 1)) - 1);
}

bool is_nan_of(Format format, std::uint64_t bits) {
  const std::uint64_t infinity = ((std::uint64_t{1} << (format.bits - 1 - format.fraction)) - 1)
                                 << format.fraction;
  return magnitude(format, bits) > infinity;
}

std::uint64_t steps_of(Format format, std::uint64_t a, std::uint64_t b) {
  if (is_nan_of(format, a) || is_nan_of(format, b)) return 0;
  const auto negative = [&](std::uint64_t bits) { return (bits >> (format.bits - 1) & 1) != 0; };
  const std::uint64_t x = magnitude(format, a), y = magnitude(format, b);
  if (negative(a) != negative(b)) return x + y;
  return x > y ? x - y : y - x;
}

}  // namespace

ValueKind kind_of(const std::string& type, const std::string& spelling) {
  if (type == "f32") return ValueKind::f32;
  if (type == "f64") return ValueKind::f64;
  const auto says = [&](const char* word) { return spelling.find(word) != std::string::npos; };
  if (type == "b32" && says("bf16x2")) return ValueKind::bf16x2;
  if (type == "b32" && says("f16x2")) return ValueKind::f16x2;
  if (type == "b16" && says("bf16")) return ValueKind::bf16;
  if (type == "b16" && says("f16")) return ValueKind::f16;
  return ValueKind::bits;
}

bool is_nan(ValueKind kind, std::uint64_t bits) {
  if (kind == ValueKind::bits) return false;
  const Format format = format_of(kind);
  return is_nan_of(format, bits) || (is_pair(kind) && is_nan_of(format, bits >> 16));
}

std::uint64_t steps_between(ValueKind kind, std::uint64_t a, std::uint64_t b) {
  if (kind == ValueKind::bits) return 0;
  const Format format = format_of(kind);
  if (!is_pair(kind)) return steps_of(format, a, b);
  return std::max(steps_of(format, a & 0xffff, b & 0xffff), steps_of(format, a >> 16, b >> 16));
}

std::string hexadecimal(std::uint64_t bits) {
  char text[24];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(bits));
  return text;
}

void Differences::add(const std::vector<std::uint64_t>& inputs, std::uint64_t heddle, std::uint64_t gpu) {
  ++compared_;
  if (heddle == gpu) return;
  ++differing_;
  const bool nan = is_nan(kind_, heddle) || is_nan(kind_, gpu);
  if (nan) {
    ++(is_nan(kind_, heddle) && is_nan(kind_, gpu) ? nan_bits_ : nan_or_number_);
    return sample(nans_, inputs, heddle, gpu);
  }
  const std::uint64_t steps = steps_between(kind_, heddle, gpu);
  if (kind_ != ValueKind::bits && steps == 0) ++zero_signs_;
  sample(first_, inputs, heddle, gpu);
  if (steps <= most_steps_) return;
  most_steps_ = steps;
  if (largest_.size() == kSamples) largest_.erase(largest_.begin());
  sample(largest_, inputs, heddle, gpu);
}

void Differences::sample(boost::json::array& into, const std::vector<std::uint64_t>& inputs,
                         std::uint64_t heddle, std::uint64_t gpu) const {
  if (into.size() >= kSamples) return;
  std::string text;
  for (const std::uint64_t input : inputs) text += hexadecimal(input) + " ";
  into.emplace_back(text + "heddle " + hexadecimal(heddle) + " gpu " + hexadecimal(gpu));
}

boost::json::object Differences::json() const {
  boost::json::object result{{"compared", compared_}, {"differing", differing_}};
  if (differing_ == 0) return result;
  if (nan_bits_) result["nan_bits"] = nan_bits_;
  if (nan_or_number_) result["nan_or_number"] = nan_or_number_;
  if (zero_signs_) result["zero_signs"] = zero_signs_;
  if (most_steps_) result["most_ulps"] = most_steps_;
  if (!first_.empty()) result["first"] = first_;
  if (!nans_.empty()) result["nans"] = nans_;
  if (!largest_.empty()) result["largest"] = largest_;
  return result;
}

}  // namespace heddle::on_gpu
