#pragma once

// Reads that have been served, until their values are at the collectors.

#include <deque>
#include <iterator>

#include "models/ports/register_access.h"

namespace heddle {

class LateReads {
 public:
  struct Late {
    Cycle at;  ///< its value arrives
    RegisterAccess* access;
  };

  /// Those that arrive in one cycle keep the order in which they were added.
  void add(Cycle at, RegisterAccess& access) {
    auto place = late_.end();
    while (place != late_.begin() && std::prev(place)->at > at) --place;
    late_.insert(place, {at, &access});
  }
  /// The next one that has arrived by `now`, which is forgotten; nullptr if there is none.
  RegisterAccess* take_arrived(Cycle now) {
    if (late_.empty() || late_.front().at > now) return nullptr;
    RegisterAccess* const access = late_.front().access;
    late_.pop_front();
    return access;
  }
  bool empty() const { return late_.empty(); }
  auto begin() const { return late_.begin(); }
  auto end() const { return late_.end(); }

 private:
  std::deque<Late> late_;
};

}  // namespace heddle
