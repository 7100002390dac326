#pragma once

// Random numbers for the data of launch files. They are the same on every computer and in every version.

#include <cstdint>

namespace heddle::launch {

/// The generator SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA
/// 2014).
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Returns a number in [0, 1) that has 53 random bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Returns a number with mean 0 and standard deviation 1, within -6..6: the sum of twelve uniform numbers
  /// minus 6. No function of a math library is used, because libraries differ.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += unit();
    return sum;
  }

 private:
  std::uint64_t state_;
};

}  // namespace heddle::launch
