#pragma once

// Counter of the free positions of a buffer between modules. Positions freed in one cycle can be taken from
// the next cycle on, so that the result is independent of module order.

#include <cstddef>

#include "models/core/ids.h"

namespace heddle {

class CycleRoom {
 public:
  explicit CycleRoom(std::size_t places) : places_(places) {}

  /// Number of positions that can be taken in cycle `now`. Positions that were freed in this cycle do not
  /// count.
  std::size_t free(Cycle now) const {
    const std::size_t held = taken_ + freed(now);
    return held < places_ ? places_ - held : 0;
  }
  bool any(Cycle now) const { return taken_ + freed(now) < places_; }
  /// Returns true if all positions of the buffer are taken. Positions freed in this cycle count as free.
  bool full() const { return taken_ >= places_; }
  void take(std::size_t places = 1) { taken_ += places; }
  void give(Cycle now) {
    freed_ = freed(now) + 1;
    cycle_ = now;
    --taken_;
  }
  /// Frees all positions. Only the module that takes positions may call this function, and only in a cycle in
  /// which no other module frees any.
  void reset() { taken_ = freed_ = 0; }

  std::size_t taken() const { return taken_; }
  std::size_t places() const { return places_; }

 private:
  std::size_t freed(Cycle now) const { return cycle_ == now ? freed_ : 0; }

  std::size_t places_, taken_ = 0;
  std::size_t freed_ = 0;
  Cycle cycle_ = kNever;
};

}  // namespace heddle
