#pragma once

// Set of the registers of a warp: one bit for each register number.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle {

inline constexpr int kRegisterWords = 4;

struct RegisterSet {
  std::array<std::uint64_t, kRegisterWords> bits{};
  void set(std::uint32_t r) { bits[r / 64] |= std::uint64_t{1} << (r % 64); }
  void clear(std::uint32_t r) { bits[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }
  bool test(std::uint32_t r) const { return (bits[r / 64] >> (r % 64)) & 1; }
  bool intersects(const RegisterSet& o) const {
    std::uint64_t any = 0;
    for (int i = 0; i < kRegisterWords; ++i)
      any |= bits[static_cast<std::size_t>(i)] & o.bits[static_cast<std::size_t>(i)];
    return any != 0;
  }
  bool any() const { return bits[0] | bits[1] | bits[2] | bits[3]; }
  int count() const {
    int registers = 0;
    for (const std::uint64_t word : bits) registers += std::popcount(word);
    return registers;
  }
  /// Returns the lowest register. The set must not be empty.
  std::uint32_t lowest() const {
    std::size_t word = 0;
    while (bits[word] == 0) ++word;
    return static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits[word]));
  }
  void merge(const RegisterSet& o) {
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] |= o.bits[i];
  }
  RegisterSet without(const RegisterSet& o) const {
    RegisterSet rest;
    for (std::size_t i = 0; i < bits.size(); ++i) rest.bits[i] = bits[i] & ~o.bits[i];
    return rest;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < bits.size(); ++i)
      for (std::uint64_t rest = bits[i]; rest; rest &= rest - 1)
        f(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
  bool operator==(const RegisterSet&) const = default;
};

}  // namespace heddle
