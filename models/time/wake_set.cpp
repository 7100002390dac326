#include "models/time/wake_set.h"

#include <algorithm>
#include <bit>

namespace heddle {

void WakeSet::add_far(Cycle cycle) {
  if (far_.empty() || far_.top() != cycle) far_.push(cycle);
}

bool WakeSet::take_requested(Cycle cycle) {
  std::uint64_t& word = near_[cycle % kNear / 64];
  const std::uint64_t bit = std::uint64_t{1} << (cycle % 64);
  bool requested = word & bit;
  word &= ~bit;
  if (word == 0) filled_ &= ~(std::uint64_t{1} << (cycle % kNear / 64));
  if (!far_.empty()) requested |= take_far(cycle);
  first_ = search(cycle + 1);
  return requested;
}

bool WakeSet::take_far(Cycle cycle) {
  bool requested = false;
  for (; !far_.empty() && far_.top() <= cycle; far_.pop()) requested = true;
  return requested;
}

// Searches the ring of 64-bit words for the next set bit. The search begins at the word that contains the bit
// of cycle `first`, goes once around the ring, and ends at the same word. The bits below `first` in this word
// stand for the latest cycles.
Cycle WakeSet::search(Cycle first) const {
  static_assert(kNear / 64 == 64);
  const Cycle far = far_.empty() ? kNever : far_.top();
  if (filled_ == 0) return far;
  const auto word = static_cast<unsigned>(first % kNear / 64);
  if (const std::uint64_t rest = near_[word] >> (first % 64))
    return std::min(far, first + static_cast<Cycle>(std::countr_zero(rest)));
  const std::uint64_t later = std::rotr(filled_, static_cast<int>(word + 1));
  if (later == 0) return far;
  const auto words = static_cast<unsigned>(std::countr_zero(later)) + 1;
  const std::uint64_t found = near_[(word + words) % 64];
  return std::min(far, (first / 64 + words) * 64 + static_cast<Cycle>(std::countr_zero(found)));
}

}  // namespace heddle
