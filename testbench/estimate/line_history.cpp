#include "testbench/estimate/line_history.h"

#include <algorithm>

namespace heddle::estimate {

const LineMarks::Mark& LineMarks::before(std::uint64_t cta) const {
  const auto after = std::upper_bound(marks.begin(), marks.end(), cta,
                                      [](std::uint64_t c, const Mark& mark) { return c < mark.cta; });
  return *std::prev(after);
}

void LineMarks::append(LineMarks later, std::size_t kept) {
  const auto with_those_before = [&](std::vector<std::uint64_t> own) {
    const std::size_t missing = std::min(at_end.size(), kept - std::min(kept, own.size()));
    own.insert(own.begin(), at_end.end() - static_cast<std::ptrdiff_t>(missing), at_end.end());
    return own;
  };
  for (Mark& mark : later.marks) marks.push_back({mark.cta, with_those_before(std::move(mark.addresses))});
  at_end = with_those_before(std::move(later.at_end));
}

void LineHistory::cta_ended(std::uint64_t warp_instructions) {
  instructions_ += warp_instructions;
  const std::uint64_t begins = next_++;
  if (!lines_.keeps_any() || begins >= end_ || begins < noted_.marks.back().cta + step_) return;
  if (instructions_ < kLeastInstructions) return;
  instructions_ = 0;
  noted_.marks.push_back({begins, lines_.addresses()});
}

LineMarks LineHistory::take() {
  noted_.at_end = lines_.addresses();
  return std::move(noted_);
}

}  // namespace heddle::estimate
