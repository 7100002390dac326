#include "testbench/run/line_history.h"

#include <algorithm>

namespace heddle::run {

const LineMarks::Mark& LineMarks::before(std::uint64_t cta) const {
  const auto after = std::upper_bound(marks.begin(), marks.end(), cta,
                                      [](std::uint64_t c, const Mark& mark) { return c < mark.cta; });
  return *std::prev(after);
}

void LineHistory::cta_ended(std::uint64_t warp_instructions) {
  instructions_ += warp_instructions;
  const std::uint64_t begins = resident_ + ended_++;
  if (!lines_.keeps_any() || begins >= grid_ || begins < noted_.marks.back().cta + step_) return;
  if (instructions_ < kLeastInstructions) return;
  instructions_ = 0;
  noted_.marks.push_back({begins, lines_.addresses()});
}

LineMarks LineHistory::take() {
  noted_.at_end = lines_.addresses();
  return std::move(noted_);
}

}  // namespace heddle::run
