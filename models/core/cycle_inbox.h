#pragma once

// Unbounded queue on a clocked boundary: an item is visible from the cycle after it was put. Items are
// delivered in the order of their arrival.

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
  /// Returns true if the queue contains no item at all, including items put in this cycle.
  bool empty() const { return begin() == end(); }

  /// Calls f(item) for each item that was put in an earlier cycle, and removes these items. Items that f puts
  /// are delivered by a later call.
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
  /// Delivers items as take() does, but stops at the first item for which f returns false. This item stays in
  /// the queue.
  template <class F>
  void take_while(Cycle now, F&& f) {
    const std::size_t end = this->end(now);
    std::size_t next = first_;
    while (next != end && f(items_[next])) ++next;
    forget(next);
  }
  /// Removes the items put in earlier cycles for which f returns true.
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

  /// First and last position of all items in the queue, including those put in this cycle. For observers.
  const T* begin() const { return items_.begin() + first_; }
  const T* end() const { return items_.end(); }

 private:
  static constexpr std::size_t kForget = 64;

  std::size_t end(Cycle now) const { return newest_ < now ? items_.size() : before_; }
  // Records that items have been delivered. They are removed in batches, which costs less than removing items
  // in every cycle.
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
  std::size_t first_ = 0;   ///< index in items_ of the first item that has not been delivered
  std::size_t before_ = 0;  ///< number of items in items_ when cycle newest_ began
  Cycle newest_ = 0;        ///< cycle of the last put()
};

}  // namespace heddle
