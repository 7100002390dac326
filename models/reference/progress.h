#pragma once

// Detects whether a run makes progress: counts warp-instructions, and checks after each stretch of them
// whether global or shared memory has changed or a thread has ended.

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
  /// Memory has changed, or a thread has ended.
  void note() { made_ = true; }
  /// It has in this stretch.
  bool made() const { return made_; }

  /// Steps to the next look().
  std::uint64_t left() const { return next_look_ - steps_; }
  /// With none left: false if a limit is reached; else the next stretch begins.
  bool look() {
    if (at_limit()) return false;
    waits_ = !made_;
    stalled_ = made_ ? 0 : stalled_ + stretch_;
    if (endless_after_ != 0 && stalled_ >= endless_after_) return false;
    made_ = false;
    stretch_end_ += stretch_;
    next_look_ = std::min(limit_, stretch_end_);
    return true;
  }
  bool at_limit() const { return steps_ == limit_; }
  std::uint64_t endless_after() const { return endless_after_; }
  /// Once after each stretch without progress.
  bool take_wait() { return std::exchange(waits_, false); }

 private:
  /// Warp-instructions without progress, after which more CTAs are resident.
  static constexpr std::uint64_t kPatience = 5'000'000;

  std::uint64_t steps_ = 0, limit_, endless_after_;
  std::uint64_t stretch_;      ///< steps between two looks
  std::uint64_t stretch_end_;  ///< steps_ at the next one
  std::uint64_t next_look_;    ///< or at the limit
  std::uint64_t stalled_ = 0;  ///< steps of the stretches since the last one with progress
  bool waits_ = false;         ///< none in the last stretch
  bool made_ = false;
};

}  // namespace heddle::reference
