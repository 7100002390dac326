#pragma once

// Pool of reusable objects. A reused object keeps its address and its old contents.

#include <deque>
#include <vector>

namespace heddle {

template <class T>
class ObjectPool {
 public:
  T& take() {
    if (free_.empty()) return all_.emplace_back();
    T& object = *free_.back();
    free_.pop_back();
    return object;
  }
  void give_back(T& object) { free_.push_back(&object); }

 private:
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace heddle
