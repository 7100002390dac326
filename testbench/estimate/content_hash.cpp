#include "testbench/estimate/content_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace heddle::estimate {

void ContentHash::add(std::span<const std::uint8_t> bytes) {
  add(bytes.size());
  std::size_t at = 0;
  const std::size_t step = sizeof(std::uint64_t) * lanes_.size();
  for (; at + step <= bytes.size(); at += step) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data() + at, step);
    for (std::size_t i = 0; i < words.size(); ++i) lanes_[i] = mixed(lanes_[i], words[i]);
  }
  for (std::uint64_t word = 0; at < bytes.size(); at += sizeof word, word = 0) {
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    add(word);
  }
}

std::uint64_t ContentHash::joined(std::uint64_t seed) const {
  std::uint64_t all = mixed(seed, count_);
  for (const std::uint64_t lane : lanes_) all = mixed(all ^ all >> 32, lane);
  all = (all ^ all >> 33) * 0xff51afd7ed558ccd;
  return all ^ all >> 33;
}

std::uint64_t ContentHash::value() const { return joined(0); }

std::string ContentHash::digits() const { return fmt::format("{:016x}{:016x}", joined(0), joined(1)); }

}  // namespace heddle::estimate
