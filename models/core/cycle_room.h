#pragma once

// Room on a clocked boundary: a number of places, of which those that become free in a cycle can be taken from the
// next one on, so that it does not matter who runs first in a cycle.

#include <cstddef>

#include "models/core/ids.h"

namespace heddle {

class CycleRoom {
 public:
  explicit CycleRoom(std::size_t places) : places_(places) {}

  /// Places that can be taken in cycle `now`: none that became free in it.
  std::size_t free(Cycle now) const {
    const std::size_t held = taken_ + freed(now);
    return held < places_ ? places_ - held : 0;
  }
  bool any(Cycle now) const { return taken_ + freed(now) < places_; }
  /// None is free, nor becomes free in the next cycle.
  bool full() const { return taken_ >= places_; }
  void take(std::size_t places = 1) { taken_ += places; }
  void give(Cycle now) {
    freed_ = freed(now) + 1;
    cycle_ = now;
    --taken_;
  }
  /// Returns all places at once. For owners that take places when no other module returns any.
  void reset() { taken_ = freed_ = 0; }

  std::size_t taken() const { return taken_; }
  std::size_t places() const { return places_; }

 private:
  std::size_t freed(Cycle now) const { return cycle_ == now ? freed_ : 0; }

  std::size_t places_, taken_ = 0;
  std::size_t freed_ = 0;  ///< in cycle_
  Cycle cycle_ = kNever;
};

}  // namespace heddle
