#pragma once

// Unbounded queue between modules. An item becomes visible in the cycle after it was put. Items are delivered
// in the order of arrival.

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

  /// Returns true if the queue contains an item that was put in an earlier cycle.
  bool any(Cycle now) const { return end(now) != first_; }
  /// Returns true if the queue contains no item, not even one put in this cycle.
  bool empty() const { return begin() == end(); }

  /// Calls f(item) for each item that was put in an earlier cycle, and removes these items. Items that f
  /// itself puts are delivered by a later call.
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
  /// Calls f(item) for the items that were put in earlier cycles, in order, and removes them. Stops at the
  /// first item for which f returns false; this item stays in the queue.
  template <class F>
  void take_while(Cycle now, F&& f) {
    const std::size_t end = this->end(now);
    std::size_t next = first_;
    while (next != end && f(items_[next])) ++next;
    forget(next);
  }
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

  const T* begin() const { return items_.begin() + first_; }
  const T* end() const { return items_.end(); }

 private:
  static constexpr std::size_t kForget = 16;

  std::size_t end(Cycle now) const { return newest_ < now ? items_.size() : before_; }
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
  std::size_t first_ = 0;
  std::size_t before_ = 0;
  Cycle newest_ = 0;
};

}  // namespace heddle
