#pragma once

// A fast hash of memory and other content. Two different contents rarely have the same hash by accident. The
// hash is not cryptographic: contents with equal hashes can be constructed on purpose.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle::estimate {

class ContentHash {
 public:
  void add(std::uint64_t word) {
    std::uint64_t& lane = lanes_[count_++ % lanes_.size()];
    lane = mixed(lane, word);
  }
  /// Adds bytes to the hash, and then their number. The same bytes therefore give another hash if they are
  /// added in two calls instead of one.
  void add(std::span<const std::uint8_t> bytes);
  void add(std::string_view text) {
    add(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  }
  std::uint64_t value() const;
  std::string digits() const;

 private:
  static std::uint64_t rotated(std::uint64_t word, int by) { return word << by | word >> (64 - by); }
  // Mixes a word into `lane`, one of the words of the hash's state. The multipliers are odd, with irregular
  // bits. The rotation moves the top bits down, so that the next multiplication spreads them.
  static std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) {
    return rotated(lane + word * 0xc2b2ae3d27d4eb4f, 31) * 0x9e3779b185ebca87;
  }
  std::uint64_t joined(std::uint64_t seed) const;

  std::array<std::uint64_t, 4> lanes_ = {1, 2, 3, 4};
  std::uint64_t count_ = 0;
};

}  // namespace heddle::estimate
