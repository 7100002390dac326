#pragma once

// Queues for use inside one module. The queues allocate host memory only when they grow. An item can be taken
// in the cycle in which it was added.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity = 16) : slots_(capacity) {}
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  T& operator[](std::size_t i) { return slots_[index(i)]; }
  void push(T item) {
    if (size_ == slots_.size()) grow();
    slots_[index(size_++)] = std::move(item);
  }
  T pop() {
    T item = std::move(slots_[head_]);
    head_ = head_ + 1 == slots_.size() ? 0 : head_ + 1;
    --size_;
    return item;
  }
  void clear() { size_ = 0; }

 private:
  std::size_t index(std::size_t i) const {
    i += head_;
    return i >= slots_.size() ? i - slots_.size() : i;
  }
  void grow() {
    std::vector<T> wider(slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) wider[i] = std::move(slots_[index(i)]);
    slots_ = std::move(wider);
    head_ = 0;
  }
  std::vector<T> slots_;
  std::size_t head_ = 0, size_ = 0;
};

/// Queue of items with due cycles. Items leave in the order of their due cycles. Items with the same due
/// cycle leave in ascending `order`, and among equal `order` in the order of insertion. Efficient if items
/// are mostly added in the order in which they leave.
template <class T>
class DelayQueue {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  void push(Cycle due, T item, std::uint64_t order = 0) {
    const bool last = items_.empty() || due > last_due_ || (due == last_due_ && order >= last_order_);
    items_.push({due, order, std::move(item)});
    if (!last) return sort_in();
    last_due_ = due;
    last_order_ = order;
  }
  bool due(Cycle now) const { return !items_.empty() && items_.front().due <= now; }
  Cycle next() const { return items_.empty() ? kNever : items_.front().due; }
  T& front() { return items_.front().item; }
  T pop() { return items_.pop().item; }

 private:
  struct Item {
    Cycle due = 0;
    std::uint64_t order = 0;
    T item{};
  };
  static bool before(const Item& a, const Item& b) {
    return a.due != b.due ? a.due < b.due : a.order < b.order;
  }
  void sort_in() {
    for (std::size_t i = items_.size() - 1; i > 0 && before(items_[i], items_[i - 1]); --i)
      std::swap(items_[i - 1], items_[i]);
  }
  Ring<Item> items_;
  Cycle last_due_ = 0;
  std::uint64_t last_order_ = 0;
};

/// Queue of items with due cycles, implemented as a heap. Efficient for due cycles in any order.
template <class T>
class DueHeap {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  void push(Cycle due, T item) {
    items_.push_back({due, ++pushes_, std::move(item)});
    std::push_heap(items_.begin(), items_.end(), later);
  }
  bool due(Cycle now) const { return !items_.empty() && items_.front().due <= now; }
  Cycle next() const { return items_.empty() ? kNever : items_.front().due; }
  T pop() {
    std::pop_heap(items_.begin(), items_.end(), later);
    T item = std::move(items_.back().item);
    items_.pop_back();
    return item;
  }

 private:
  struct Item {
    Cycle due = 0;
    std::uint64_t order = 0;
    T item{};
  };
  static bool later(const Item& a, const Item& b) {
    return a.due != b.due ? a.due > b.due : a.order > b.order;
  }
  std::vector<Item> items_;
  std::uint64_t pushes_ = 0;
};

}  // namespace heddle
