#pragma once

// Detects runs without progress. Progress means that global or shared memory has changed or that a thread has
// ended. The run is divided into intervals of equal numbers of executed warp-instructions, and each interval
// is tested for progress.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/reference/reference.h"

namespace heddle::reference {

class Progress {
 public:
  explicit Progress(const ReferenceOptions& options)
      : limit_(options.max_warp_instructions ? options.max_warp_instructions : ~std::uint64_t{0}),
        endless_after_(options.endless_after),
        stretch_(options.endless_after ? std::min(options.endless_after, kPatience) : kPatience),
        stretch_end_(stretch_),
        next_look_(std::min(limit_, stretch_end_)) {}

  std::uint64_t steps() const { return steps_; }
  void step() { ++steps_; }
  void note() { made_ = true; }
  bool made() const { return made_; }

  std::uint64_t times_made() const { return 2 * stretches_with_ + (made_ ? 1 : 0); }

  std::uint64_t left() const { return next_look_ - steps_; }
  /// Ends an interval (a fixed number of executed warp-instructions) and starts the next interval. Returns
  /// false if the run must end: the limit on instructions is reached, or endless_after_ instructions were
  /// executed without progress.
  bool look() {
    if (at_limit()) return false;
    waits_ = !made_;
    stalled_ = made_ ? 0 : stalled_ + stretch_;
    stretches_with_ += made_ ? 1 : 0;
    if (endless_after_ != 0 && stalled_ >= endless_after_) return false;
    made_ = false;
    stretch_end_ += stretch_;
    next_look_ = std::min(limit_, stretch_end_);
    return true;
  }
  bool at_limit() const { return steps_ == limit_; }
  std::uint64_t endless_after() const { return endless_after_; }
  bool take_wait() { return std::exchange(waits_, false); }

 private:
  /// number of warp-instructions without progress after which more CTAs become resident
  static constexpr std::uint64_t kPatience = 5'000'000;

  std::uint64_t steps_ = 0, limit_, endless_after_;
  std::uint64_t stretch_;
  std::uint64_t stretch_end_;
  std::uint64_t next_look_;
  std::uint64_t stalled_ = 0;
  std::uint64_t stretches_with_ = 0;
  bool waits_ = false;
  bool made_ = false;
};

}  // namespace heddle::reference
