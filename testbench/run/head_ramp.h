#pragma once

// The beginning of a launch that is timed at some places: CTAs of equal length that begin together run in step for many waves, and
// so not as most of a long grid does. Here they begin one after the other on every SM, evenly over the work of one.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "models/gpu/cta_dispatcher.h"

namespace heddle::run {

class HeadRamp {
 public:
  using InstructionsOf = std::function<std::uint64_t(DispatchRange)>;

  /// Of the CTAs of `head` the first `wave`, one on each of the SMs at a time; the others follow as there is room.
  HeadRamp(DispatchRange head, std::uint64_t wave, int sms, InstructionsOf instructions)
      : head_(head),
        wave_(std::min(wave, head.count)),
        each_(static_cast<std::uint64_t>(sms)),
        instructions_(std::move(instructions)),
        of_wave_(static_cast<double>(instructions_({head.first, wave_}))) {}

  DispatchRange first() { return give(std::min(each_, wave_)); }

  /// When so many warp-instructions have been issued: the CTAs that begin now, an empty range where it is too early, nothing where
  /// all of the head have begun.
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
  // With a share s of the wave begun, of each so much that the last one is about to begin: s * s / 2 of the wave's work. No more
  // than half of what has begun, lest short CTAs end before.
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

}  // namespace heddle::run
