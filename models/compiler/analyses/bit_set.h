#pragma once

// Set of small integers of a fixed range, stored as bits.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::compiler {

class BitSet {
 public:
  explicit BitSet(std::size_t bits = 0) : words_((bits + 63) / 64, 0) {}

  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64)) & 1u; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  void clear() { words_.assign(words_.size(), 0); }
  void fill() { words_.assign(words_.size(), ~std::uint64_t{0}); }

  bool has(const BitSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if (other.words_[w] & ~words_[w]) return false;
    return true;
  }
  /// Adds the members of `other`. Returns true if at least one member was new.
  bool merge(const BitSet& other) {
    std::uint64_t added = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      added |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return added != 0;
  }
  void subtract(const BitSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  }
  void intersect(const BitSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  }
  bool operator==(const BitSet&) const = default;

  std::size_t count() const {
    std::size_t n = 0;
    for (const auto w : words_) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }
  std::size_t count_below(std::size_t end) const {
    std::size_t n = 0;
    for (std::size_t w = 0; w < end / 64; ++w) n += static_cast<std::size_t>(std::popcount(words_[w]));
    if (end % 64 != 0)
      n += static_cast<std::size_t>(std::popcount(words_[end / 64] & ((std::uint64_t{1} << (end % 64)) - 1)));
    return n;
  }
  bool empty() const {
    for (const auto w : words_)
      if (w != 0) return false;
    return true;
  }

  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace heddle::compiler
