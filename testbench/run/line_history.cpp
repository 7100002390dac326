#include "testbench/run/line_history.h"

#include <algorithm>

namespace heddle::run {

void LineHistory::cta_ended(std::uint64_t warp_instructions) {
  instructions_ += warp_instructions;
  const std::uint64_t begins = resident_ + ended_++;
  if (!lines_.keeps_any() || begins >= grid_ || begins < marks_.back().cta + step_) return;
  if (instructions_ < kLeastInstructions) return;
  instructions_ = 0;
  marks_.push_back({begins, {}});
  lines_.for_each([this](std::uint64_t address) { marks_.back().addresses.push_back(address); });
}

const LineHistory::Mark& LineHistory::before(std::uint64_t cta) const {
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), cta,
                                      [](std::uint64_t c, const Mark& mark) { return c < mark.cta; });
  return *std::prev(after);
}

}  // namespace heddle::run
