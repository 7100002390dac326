#include "models/time/wake_set.h"

#include <algorithm>
#include <bit>

namespace heddle {

void WakeSet::add_far(Cycle cycle) {
  if (far_.empty() || far_.top() != cycle) far_.push(cycle);
}

bool WakeSet::take_far(Cycle cycle) {
  bool asked = false;
  for (; !far_.empty() && far_.top() <= cycle; far_.pop()) asked = true;
  return asked;
}

Cycle WakeSet::search(Cycle first) const {
  Cycle found = far_.empty() ? kNever : far_.top();
  for (Cycle base = first / 64 * 64; base < first + kNear; base += 64) {
    std::uint64_t word = near_[base % kNear / 64];
    if (base < first) word &= ~std::uint64_t{0} << (first % 64);
    if (base + 64 > first + kNear) word &= (std::uint64_t{1} << (first % 64)) - 1;
    if (word) return std::min(found, base + static_cast<Cycle>(std::countr_zero(word)));
  }
  return found;
}

}  // namespace heddle
