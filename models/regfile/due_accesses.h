#pragma once

// How many of the waiting accesses may be served by now, without looking at them: they are counted by the
// cycle from which on they may.

#include <array>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

class DueAccesses {
 public:
  void add(Cycle now, Cycle from) {
    if (from - now < kNear)
      ++near_[from % kNear];
    else
      far_.push_back(from);
  }
  /// To be called in every cycle that an access was added for.
  void advance(Cycle now) {
    due_ += near_[now % kNear];
    near_[now % kNear] = 0;
    if (!far_.empty()) due_ += std::erase_if(far_, [now](Cycle from) { return from <= now; });
  }
  void served(std::uint64_t accesses) { due_ -= accesses; }
  std::uint64_t count() const { return due_; }

 private:
  static constexpr std::size_t kNear = 64;
  std::array<std::uint32_t, kNear> near_{};
  std::vector<Cycle> far_;
  std::uint64_t due_ = 0;
};

}  // namespace heddle
