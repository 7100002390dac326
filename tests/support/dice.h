#pragma once

// Makes random choices for test generators. They are the same on every host.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "testbench/launch/random_values.h"

namespace heddle::fuzz {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : values_(seed) {}

  std::uint64_t next() { return values_.next(); }
  int pick(int n) { return static_cast<int>((values_.next() >> 20) % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + pick(high - low + 1); }
  bool chance(int percent) { return pick(100) < percent; }

  template <class T>
  const T& choose(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(pick(static_cast<int>(from.size())))];
  }
  int choose(std::initializer_list<int> from) { return from.begin()[pick(static_cast<int>(from.size()))]; }
  std::string choose(std::initializer_list<const char*> from) {
    return from.begin()[pick(static_cast<int>(from.size()))];
  }

 private:
  launch::SplitMix64 values_;
};

}  // namespace heddle::fuzz
