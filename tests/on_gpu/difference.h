#pragma once

// Compares two results of an operation bit for bit, and measures their distance in units of the last place.

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::on_gpu {

enum class ValueKind : std::uint8_t { bits, f16, bf16, f16x2, bf16x2, f32, f64 };

/// Returns how the bits of a result are to be interpreted. `type`: register type (b16, b32, f32, ...).
/// `spelling`: PTX name of the instruction.
ValueKind kind_of(const std::string& type, const std::string& spelling);

bool is_nan(ValueKind kind, std::uint64_t bits);
/// Returns the number of steps between neighbouring floating-point numbers that lead from `a` to `b`. Returns
/// 0 for NaNs and for bits that are no floating-point number.
std::uint64_t steps_between(ValueKind kind, std::uint64_t a, std::uint64_t b);
std::string hexadecimal(std::uint64_t bits);

/// Counts the differences over many results of one operation, and keeps the first few.
class Differences {
 public:
  explicit Differences(ValueKind kind) : kind_(kind) {}
  void add(const std::vector<std::uint64_t>& inputs, std::uint64_t heddle, std::uint64_t gpu);
  std::uint64_t differing() const { return differing_; }
  boost::json::object json() const;

 private:
  /// number of samples that are kept for each kind of difference; samples of rare kinds are thus kept too
  static constexpr std::size_t kSamples = 6;

  void sample(boost::json::array& into, const std::vector<std::uint64_t>& inputs, std::uint64_t heddle,
              std::uint64_t gpu) const;

  ValueKind kind_;
  std::uint64_t compared_ = 0, differing_ = 0, nan_bits_ = 0, nan_or_number_ = 0, zero_signs_ = 0,
                most_steps_ = 0;
  boost::json::array first_, nans_, largest_;
};

}  // namespace heddle::on_gpu
