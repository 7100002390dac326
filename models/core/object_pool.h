#pragma once

// Objects that are used again: taken one by one and given back in any order. They stay where they are, and as they were.

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
