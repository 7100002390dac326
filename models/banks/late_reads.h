#pragma once

// List of late reads. The banks have already served such a read, but its value has not arrived at the collector
// yet.

#include <utility>

#include "models/core/growing_array.h"
#include "models/ports/register_access.h"

namespace heddle {

class LateReads {
 public:
  struct Late {
    Cycle at;
    RegisterAccess* access;
  };

  /// Adds a read that arrives in cycle `at`. Reads that arrive in the same cycle keep the order in which they
  /// were added.
  void add(Cycle at, RegisterAccess& access) {
    late_.push_back({at, &access});
    for (Late* place = late_.end() - 1; place != begin() && place[-1].at > at; --place)
      std::swap(place[0], place[-1]);
  }
  RegisterAccess* take_arrived(Cycle now) {
    if (empty() || late_[taken_].at > now) return nullptr;
    RegisterAccess* const access = late_[taken_++].access;
    if (taken_ == late_.size()) {
      late_.clear();
      taken_ = 0;
    } else if (taken_ == kKept) {
      late_.drop_front(taken_);
      taken_ = 0;
    }
    return access;
  }
  bool empty() const { return late_.empty(); }
  Late* begin() { return late_.begin() + taken_; }
  const Late* begin() const { return late_.begin() + taken_; }
  const Late* end() const { return late_.end(); }

 private:
  static constexpr std::size_t kKept = 64;

  GrowingArray<Late> late_;
  std::size_t taken_ = 0;
};

}  // namespace heddle
