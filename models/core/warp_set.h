#pragma once

// Set of up to 64 warp slots of one SM, stored in one 64-bit word.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "models/core/ids.h"

namespace heddle {

class WarpSet {
 public:
  static constexpr std::uint32_t kCapacity = 64;

  constexpr WarpSet() = default;
  /// Implicit conversion from a number, in which bit i stands for warp i.
  constexpr WarpSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr WarpSet of(WarpId warp) { return std::uint64_t{1} << warp.value; }
  static constexpr WarpSet all() { return ~std::uint64_t{0}; }

  constexpr bool contains(WarpId warp) const { return bits_ >> warp.value & 1; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr explicit operator bool() const { return bits_ != 0; }
  constexpr int count() const { return std::popcount(bits_); }
  constexpr std::uint64_t bits() const { return bits_; }

  constexpr void add(WarpId warp) { *this |= of(warp); }
  constexpr void remove(WarpId warp) { *this &= ~of(warp); }
  constexpr void set(WarpId warp, bool member) {
    bits_ = (bits_ & ~of(warp).bits_) | std::uint64_t{member} << warp.value;
  }

  /// Returns the member with the lowest number. The set must not be empty.
  constexpr WarpId first() const { return WarpId(static_cast<std::uint32_t>(std::countr_zero(bits_))); }
  constexpr WarpSet only_first() const { return bits_ & -bits_; }
  constexpr WarpSet without_first() const { return bits_ & (bits_ - 1); }
  constexpr WarpSet after(WarpId warp) const { return bits_ & (~std::uint64_t{1} << warp.value); }
  /// Removes and returns the member with the lowest number. The set must not be empty.
  constexpr WarpId pop() {
    const WarpId warp = first();
    bits_ &= bits_ - 1;
    return warp;
  }

  friend constexpr WarpSet operator&(WarpSet a, WarpSet b) { return a.bits_ & b.bits_; }
  friend constexpr WarpSet operator|(WarpSet a, WarpSet b) { return a.bits_ | b.bits_; }
  friend constexpr WarpSet operator^(WarpSet a, WarpSet b) { return a.bits_ ^ b.bits_; }
  constexpr WarpSet operator~() const { return ~bits_; }
  constexpr WarpSet& operator&=(WarpSet o) { return bits_ &= o.bits_, *this; }
  constexpr WarpSet& operator|=(WarpSet o) { return bits_ |= o.bits_, *this; }
  constexpr WarpSet& operator^=(WarpSet o) { return bits_ ^= o.bits_, *this; }
  friend constexpr bool operator==(WarpSet, WarpSet) = default;

  /// Iterates in ascending order over the warps that are members when begin() is called. The body of the loop
  /// may change the set.
  class Iterator {
   public:
    using value_type = WarpId;
    using difference_type = std::ptrdiff_t;
    constexpr Iterator() = default;
    constexpr explicit Iterator(std::uint64_t rest) : rest_(rest) {}
    constexpr WarpId operator*() const { return WarpSet(rest_).first(); }
    constexpr Iterator& operator++() { return rest_ &= rest_ - 1, *this; }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    std::uint64_t rest_ = 0;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(); }

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace heddle
