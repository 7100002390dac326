#pragma once

// Provides example values of registers, with the number of sub-banks that each value fills in base-delta
// form.

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/core/lanes.h"

namespace heddle::delta_examples {

inline LaneVec lanes(const std::function<std::uint32_t(std::uint32_t)>& value) {
  LaneVec values;
  for (std::uint32_t i = 0; i < kLanes; ++i) values[static_cast<int>(i)] = value(i);
  return values;
}

inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

// Returns a register with `value` in one lane and zeros in all other lanes.
inline LaneVec only(int lane, std::uint32_t value) {
  return lanes([=](std::uint32_t i) { return static_cast<int>(i) == lane ? value : 0; });
}

struct Example {
  const char* what;
  LaneVec values;
  int of_eight, of_four;
};

inline const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"42", lanes([](std::uint32_t) { return 42u; }), 1, 1},
      {"i", lanes([](std::uint32_t i) { return i; }), 3, 2},
      {"i - 16", lanes([](std::uint32_t i) { return i - 16; }), 3, 2},
      {"0x80001000 + 4i", lanes([](std::uint32_t i) { return 0x80001000u + 4 * i; }), 3, 2},
      {"128i", lanes([](std::uint32_t i) { return 128 * i; }), 5, 3},
      {"4096i", lanes([](std::uint32_t i) { return 4096 * i; }), 8, 4},
      {"float(i)", lanes([](std::uint32_t i) { return bits_of(static_cast<float>(i)); }), 8, 4},
      {"1.0f + i ulp", lanes([](std::uint32_t i) { return bits_of(1.0f) + i; }), 3, 2},
      {"lane 31 wraps", lanes([](std::uint32_t i) { return i == 31 ? 0x80000000u : 0x7fffffffu; }), 3, 2},
      {"lane 9 = 127", only(9, 127), 3, 2},
      {"lane 9 = 128", only(9, 128), 5, 3},
      {"lane 9 = -128", only(9, 0u - 128), 3, 2},
      {"lane 0 = 0x100", only(0, 0x100), 5, 3}};
  return all;
}

}  // namespace heddle::delta_examples
