#pragma once

// Decides when the first CTAs of an estimated launch begin. CTAs of equal length that begin together also end
// together, for many waves. In most of a long grid, however, CTAs end at different times. The first timed
// CTAs therefore begin one after the other on every SM, spread evenly over the duration of one CTA.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "models/gpu/cta_dispatcher.h"

namespace heddle::estimate {

class HeadRamp {
 public:
  using InstructionsOf = std::function<std::uint64_t(DispatchRange)>;

  /// The first `wave` CTAs of `head` begin one at a time on each SM. Further CTAs of `head` follow when SMs
  /// have space.
  HeadRamp(DispatchRange head, std::uint64_t wave, int sms, InstructionsOf instructions)
      : head_(head),
        wave_(std::min(wave, head.count)),
        each_(static_cast<std::uint64_t>(sms)),
        instructions_(std::move(instructions)),
        of_wave_(static_cast<double>(instructions_({head.first, wave_}))) {}

  DispatchRange first() { return give(std::min(each_, wave_)); }

  /// Returns the CTAs to begin after `issued` warp-instructions. Returns an empty range if it is too early
  /// for further CTAs, and nothing if all have begun.
  std::optional<DispatchRange> next(std::uint64_t issued) {
    if (begun_ == head_.count) return std::nullopt;
    if (begun_ >= wave_) return give(head_.count - begun_);
    if (static_cast<double>(issued) < due_) return DispatchRange{0, 0};
    return give(std::min(each_, wave_ - begun_));
  }

 private:
  DispatchRange give(std::uint64_t count) {
    const DispatchRange range{head_.first + begun_, count};
    begun_ += count;
    due_ = due();
    return range;
  }
  // Returns the number of issued instructions after which the next CTAs begin. When a share s of the wave's
  // CTAs has begun, evenly spread over time, the first of them has executed the share s of its instructions,
  // and the average CTA s/2. This is s*s/2 of the wave's instructions if all CTAs progress equally fast. The
  // result is at most half of the instructions of the CTAs that have begun, because short CTAs may end
  // earlier.
  double due() const {
    const double begun = static_cast<double>(begun_) / static_cast<double>(wave_),
                 next = static_cast<double>(begun_ + each_) / static_cast<double>(wave_);
    return std::min(begun * next / 2 * of_wave_,
                    static_cast<double>(instructions_({head_.first, begun_})) / 2);
  }

  DispatchRange head_;
  std::uint64_t wave_, each_, begun_ = 0;
  InstructionsOf instructions_;
  double of_wave_, due_ = 0;
};

}  // namespace heddle::estimate
