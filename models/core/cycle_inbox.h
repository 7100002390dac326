#pragma once

// A queue without an end on a clocked boundary: what is put there in a cycle is seen from the next one on, in the
// order in which it came.

#include <cstddef>
#include <utility>

#include "models/core/growing_array.h"
#include "models/core/ids.h"

namespace heddle {

template <class T>
class CycleInbox {
 public:
  void put(Cycle now, const T& item) {
    if (newest_ != now) {
      newest_ = now;
      before_ = items_.size();
    }
    items_.push_back(item);
  }

  /// Something was put here in an earlier cycle than `now`.
  bool any(Cycle now) const { return end(now) != first_; }
  /// Nothing at all is here, of this cycle neither.
  bool empty() const { return begin() == end(); }

  /// Calls f(item) for each item of earlier cycles and removes them. Items that f adds are delivered by a
  /// later call.
  template <class F>
  void take(Cycle now, F&& f) {
    const std::size_t end = this->end(now);
    std::size_t next = first_;
    while (next != end) {
      const T item = items_[next++];
      f(item);
    }
    forget(next);
  }
  /// The same, up to the first one of which f(item) is false: that one stays.
  template <class F>
  void take_while(Cycle now, F&& f) {
    const std::size_t end = this->end(now);
    std::size_t next = first_;
    while (next != end && f(items_[next])) ++next;
    forget(next);
  }
  /// Forgets those of earlier cycles for which f(item) is true.
  template <class F>
  void erase_if(Cycle now, F&& f) {
    std::size_t kept = first_;
    const std::size_t end = this->end(now), size = items_.size();
    for (std::size_t i = first_; i != end; ++i)
      if (!f(std::as_const(items_[i]))) items_[kept++] = items_[i];
    if (kept == end) return;
    before_ = kept;
    for (std::size_t i = end; i != size; ++i) items_[kept++] = items_[i];
    items_.shrink(kept);
    forget(first_);
  }

  /// All items, including those of this cycle, for observers.
  const T* begin() const { return items_.begin() + first_; }
  const T* end() const { return items_.end(); }

 private:
  static constexpr std::size_t kForget = 64;

  std::size_t end(Cycle now) const { return newest_ < now ? items_.size() : before_; }
  // Delivered items are removed in batches, which costs less than in every cycle.
  void forget(std::size_t taken) {
    if (taken == items_.size()) {
      items_.clear();
      first_ = before_ = 0;
      return;
    }
    first_ = taken;
    if (taken < kForget) return;
    items_.drop_front(taken);
    before_ = before_ < taken ? 0 : before_ - taken;
    first_ = 0;
  }

  GrowingArray<T> items_;
  std::size_t first_ = 0;   ///< of items_: what stands before has been taken
  std::size_t before_ = 0;  ///< how many of items_ were there when newest_ began
  Cycle newest_ = 0;        ///< of the last one put here
};

}  // namespace heddle
