#pragma once

// Bounded queue between modules. An item pushed in cycle c can be popped from cycle c + 1 on. A position that
// becomes free in cycle c can be filled from cycle c + 1 on. Therefore results are independent of module
// order. A queue that transfers one item per cycle needs at least two positions.

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/core/cycle_room.h"
#include "models/core/error.h"
#include "models/core/ids.h"

namespace heddle {

template <class T>
class CycleQueue {
 public:
  explicit CycleQueue(std::size_t capacity)
      : room_(capacity), ring_(std::bit_ceil(capacity)), last_(ring_.size() - 1) {}

  /// Returns true if an item may be pushed in cycle `now`. Positions freed in this cycle do not count.
  bool can_push(Cycle now) const { return room_.any(now); }

  void push(Cycle now, T item) {
    if (!offer(now, std::move(item))) throw InternalError("push into a full cycle queue");
  }
  /// Pushes the item and returns true. If no position is free, returns false.
  bool offer(Cycle now, T item) {
    if (!can_push(now)) return false;
    ring_[index(size())] = {std::move(item), now};
    room_.take();
    return true;
  }

  bool can_pop(Cycle now) const { return !empty() && ring_[head_].pushed < now; }
  bool can_see(Cycle now, std::size_t i) const { return size() > i && ring_[index(i)].pushed < now; }
  const T& peek(std::size_t i) const { return ring_[index(i)].item; }
  T& front() { return ring_[head_].item; }
  const T& front() const { return ring_[head_].item; }

  T pop(Cycle now) {
    T item = std::move(ring_[head_].item);
    head_ = size() == 1 ? 0 : index(1);
    room_.give(now);
    return item;
  }

  /// Removes all items. Only the producer may call this function, and the consumer must not read the queue
  /// afterwards in this run.
  void reset() { room_.reset(); }

  bool empty() const { return room_.taken() == 0; }
  std::size_t size() const { return room_.taken(); }
  std::size_t capacity() const { return room_.places(); }

 private:
  struct Slot {
    T item{};
    Cycle pushed = 0;
  };
  std::size_t index(std::size_t i) const { return (head_ + i) & last_; }

  CycleRoom room_;
  std::vector<Slot> ring_;
  std::size_t last_;
  std::size_t head_ = 0;
};

}  // namespace heddle
