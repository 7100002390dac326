#pragma once

// The queue that stands on every clocked boundary. What is pushed in cycle c can be popped from c + 1 on, and
// space freed in cycle c can be used from c + 1 on, so that the order in which producer and consumer run
// within a cycle cannot be observed. A queue that must run at full rate is at least two deep.

#include <cstddef>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "models/core/ids.h"

namespace heddle {

template <class T>
class CycleQueue {
 public:
  explicit CycleQueue(std::size_t capacity) : capacity_(capacity), ring_(capacity) {}

  /// Room for one more push in cycle `now`: counts items popped in this same cycle as still there.
  bool can_push(Cycle now) const { return size_ + popped_in(now) < capacity_; }

  void push(Cycle now, T item) {
    if (!offer(now, std::move(item))) throw InternalError("push into a full cycle queue");
  }
  /// The same where there may be no room: false, and nothing happens.
  bool offer(Cycle now, T item) {
    if (!can_push(now)) return false;
    ring_[index(size_)] = {std::move(item), now};
    ++size_;
    return true;
  }

  /// Something was pushed in an earlier cycle.
  bool can_pop(Cycle now) const { return size_ != 0 && ring_[head_].pushed < now; }
  /// The item `i` places behind the front was pushed in an earlier cycle too.
  bool can_see(Cycle now, std::size_t i) const { return size_ > i && ring_[index(i)].pushed < now; }
  const T& peek(std::size_t i) const { return ring_[index(i)].item; }
  T& front() { return ring_[head_].item; }
  const T& front() const { return ring_[head_].item; }

  T pop(Cycle now) {
    T item = std::move(ring_[head_].item);
    head_ = head_ + 1 == capacity_ ? 0 : head_ + 1;
    --size_;
    popped_ = pop_cycle_ == now ? popped_ + 1 : 1;
    pop_cycle_ = now;
    return item;
  }

  /// Drops everything at once. For the producer alone, where the consumer has stopped looking.
  void reset() {
    size_ = 0;
    popped_ = 0;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

 private:
  struct Slot {
    T item{};
    Cycle pushed = 0;
  };
  std::size_t index(std::size_t i) const {
    i += head_;
    return i >= capacity_ ? i - capacity_ : i;
  }
  std::size_t popped_in(Cycle now) const { return pop_cycle_ == now ? popped_ : 0; }

  std::size_t capacity_;
  std::vector<Slot> ring_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
  std::size_t popped_ = 0;
  Cycle pop_cycle_ = kNever;
};

}  // namespace heddle
