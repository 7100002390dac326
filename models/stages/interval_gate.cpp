#include "models/stages/interval_gate.h"

#include <algorithm>

namespace heddle {

IntervalGate::IntervalGate(Clock& clock, int warps, bool active_only)
    : clock_(&clock),
      active_only_(active_only),
      intervals_of_warps_(static_cast<std::size_t>(warps), kNone),
      asked_(static_cast<std::size_t>(warps), kNone) {
  reason_ = "interval";
  // If the interval-file keeps registers only for active warps, a warp must keep its active slot while it
  // waits for its registers. Therefore this wait must not count as lasting: a two-level scheduler takes the
  // slot of a warp with a lasting wait.
  lasts_ = !active_only;
  holds_bound_ = true;
  next_change_ = 0;
}

void IntervalGate::begin_kernel(const isa::Program& program) {
  program_ = &program;
  intervals_ = isa::NotedWords(program.notes, "register-interval");
  lives_ = isa::NotedWords(program.notes, "interval-live");
}

RegisterSet IntervalGate::set_at(std::uint32_t pc) const {
  RegisterSet set;
  const auto words = interval_at(pc);
  std::copy(words.begin() + 1, words.end(), set.bits.begin());
  return set;
}

RegisterSet IntervalGate::live_at(std::uint32_t pc) const {
  RegisterSet set;
  const auto words = lives_.in(program_->code[pc].notes);
  if (words.empty())
    set.bits.fill(~std::uint64_t{0});
  else
    std::copy(words.begin(), words.end(), set.bits.begin());
  return set;
}

void IntervalGate::step(Cycle now, WarpSet, WarpSet active) {
  held_ = held_after_next_ = {};
  for (const WarpId warp : resident_) {
    const auto pc = host_->next(warp, 0);
    const auto words = interval_at(pc);
    if (words.empty()) continue;
    std::uint64_t& asked = asked_[warp.value];
    if (settled_.contains(now, warp) && intervals_of_warps_[warp.value] == words[0]) {
      asked = kNone;
      const auto after = interval_at(host_->next(warp, 1));
      if (!after.empty() && after[0] != words[0]) held_after_next_.add(warp);
      continue;
    }
    held_.add(warp);
    if (active_only_ && (!active.contains(warp) || inactive_.contains(warp))) continue;
    if (asked == *pc) continue;
    asked = *pc;
    settled_.remove(warp);
    requests_.put(now, {warp, *pc});
    clock_->wake();
  }
}

void IntervalGate::loaded(Cycle now, WarpId warp, std::uint32_t pc) {
  intervals_of_warps_[warp.value] = interval_at(pc)[0];
  settled_.add(now, warp);
  clock_->wake();
}

void IntervalGate::deactivated(WarpId warp) {
  inactive_.add(warp);
  settled_.remove(warp);
  asked_[warp.value] = kNone;
}

void IntervalGate::gone(WarpId warp) {
  deactivated(warp);
  resident_.remove(warp);
  inactive_.remove(warp);
}

}  // namespace heddle
